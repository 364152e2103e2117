/// One step for a renderer of models: what changed, and the models before and after.
///
/// The batch gives access to the models of both states without copying them: all versions share
/// what they have in common. ``models`` lists the models that a renderer with its own storage has
/// to take over.
///
public struct ModelBatch<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
>: ListBatch where Model.ID: Sendable {
  /// An item is identified by the `id` of its model.
  public typealias ItemID = Model.ID

  /// What changed in the order, and which rows and headers show something else.
  public let update: UpdateBatch<SectionID, Model.ID>

  /// Creates the batch for an update of a ``ModelSource``, such as a preview of a drag.
  public init(_ update: UpdateBatch<SectionID, Model.ID>) {
    self.update = update
  }

  /// The model of an item in a state of a source of models.
  public static func element(
    for item: Model.ID, in snapshot: Snapshot<SectionID, Model.ID>
  ) -> Model? {
    snapshot.model(of: item, as: Model.self)
  }

  /// Runs an edit on a draft of order and models.
  public static func _edit<Result>(
    _ snapshot: inout Snapshot<SectionID, Model.ID>,
    _ given: inout _GivenContent<SectionID, Model.ID>, renamed: [ItemRename<Model.ID>],
    _ body: (inout ModelDraft<SectionID, Model>) throws -> Result
  ) throws -> Result {
    try ModelDraft.edit(&snapshot, &given, renamed: renamed, body)
  }

  /// The model of an item after this batch, or `nil` if the item is not in its snapshot.
  ///
  /// - Complexity: The same as ``Snapshot/itemPath(for:)``.
  public func model(for item: Model.ID) -> Model? {
    update.snapshot.model(of: item, as: Model.self)
  }

  /// The model of an item before this batch.
  ///
  /// It is `nil` if the item did not exist or the batch is a reset.
  ///
  /// - Complexity: The same as ``Snapshot/itemPath(for:)``.
  public func previousModel(for item: Model.ID) -> Model? {
    update.previousSnapshot?.model(of: item, as: Model.self)
  }

  /// The models of exactly the items that this batch inserts, reconfigures or reloads.
  ///
  /// Items that outlines hide count too: those that are new in their section, and those whose model
  /// differs from the previous one. In a reset, these are all models.
  ///
  /// If you keep models in a dictionary of your own, remove ``removedItems`` from it and merge
  /// these; for a reset, begin with an empty dictionary. It then has the models of the batch's
  /// snapshot, visible and hidden.
  ///
  /// - Complexity: O(c · log n) for c such items among n. If an outline hides items, also
  ///   O(d · log n) for d leaves of 64 items that differ.
  @inlinable public var models: [Model.ID: Model] {
    let places = changedModels
    var models = [Model.ID: Model](minimumCapacity: places.count)
    for place in places {
      place.withAddresses(ofModel: Model.self) { item, model in
        models[item.assumingMemoryBound(to: Model.ID.self).pointee] =
          model.assumingMemoryBound(to: Model.self).pointee
      }
    }
    return models
  }

  /// Where ``models`` are, in code that is compiled once.
  @usableFromInline package var changedModels: [HeldModel] {
    var models: [HeldModel] = []
    let (snapshot, difference) = (update.snapshot, update.difference)
    func add(at path: ItemPath) {
      if let model = snapshot.base.model(at: path) { models.append(model) }
    }
    func addAll(inSectionAt index: Int) {
      for item in 0..<snapshot.itemCount(ofSectionAt: index) {
        add(at: ItemPath(section: index, item: item))
      }
    }
    guard let previous = update.previousSnapshot else {
      models.reserveCapacity(snapshot.numberOfItems)
      (0..<snapshot.numberOfSections).forEach(addAll(inSectionAt:))
      models += snapshot.hiddenModels(since: Snapshot(snapshot.kernels))
      return models
    }
    difference.sectionInserts.ranges.joined().forEach(addAll(inSectionAt:))
    difference.itemInserts.forEach(add(at:))
    difference.itemReconfigures.forEach(add(at:))
    if !difference.itemReloads.isEmpty {
      let map = PositionMap(difference)
      difference.itemReloads.compactMap(map.newPath(forOld:)).forEach(add(at:))
    }
    models += snapshot.hiddenModels(since: previous)
    return models
  }

  /// The deleted items, in no particular order, and former identifiers of renamed items.
  ///
  /// Items that an outline hid count too. It is empty in a reset.
  ///
  /// - Complexity: O(c · log n) for c deleted items among n, including items of deleted sections.
  ///   If the new state has outlines or new sections, also c lookups as in
  ///   ``Snapshot/itemPath(for:)``. If an outline hid items, also O(d · log n) for d leaves of 64
  ///   items that differ.
  public var removedItems: [Model.ID] {
    guard let previous = update.previousSnapshot else { return [] }
    let (difference, snapshot) = (update.difference, update.snapshot)
    // An item that left the matched sections may be in an inserted section, or hidden.
    let isElsewhere = snapshot.order.totals.outlines > 0 || !difference.sectionInserts.isEmpty
    var removed: [Model.ID] = []
    func add(_ item: Model.ID, mayBeThere: Bool) {
      if !mayBeThere || !snapshot.containsItem(item) { removed.append(item) }
    }
    for index in difference.sectionDeletes.ranges.joined() {
      for item in previous.items(inSectionAt: index) {
        add(item, mayBeThere: isElsewhere || !difference.itemInserts.isEmpty)
      }
    }
    for path in difference.itemDeletes {
      guard let item = previous.itemIdentifier(for: path) else { continue }
      add(item, mayBeThere: isElsewhere)
    }
    if !difference.itemRenames.isEmpty {
      let renamed = PositionMap(difference).oldPaths(forNew: difference.itemRenames)
      removed += renamed.compactMap(previous.itemIdentifier(for:))
    }
    previous.forEachHiddenItem(leftOutBy: snapshot) { removed.append($0) }
    return removed
  }
}

extension ModelBatch where SectionID: ModelledSection {
  /// The model of a section after this batch, or `nil` if it has none or does not exist.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func sectionModel(for section: SectionID) -> SectionID.SectionModel? {
    update.snapshot.sectionModel(of: section)
  }

  /// The models of exactly the sections that this batch inserts, reconfigures or reloads.
  ///
  /// Sections without a model are left out. In a reset, these are all section models. If you keep
  /// section models in a dictionary of your own, remove ``removedSectionModels`` from it and merge
  /// these. It then matches the batch's snapshot.
  ///
  /// - Complexity: O(c · log s) for c such sections among s.
  public var sectionModels: [SectionID: SectionID.SectionModel] {
    var models: [SectionID: SectionID.SectionModel] = [:]
    for section in sectionsShownAnew {
      if let model = sectionModel(for: section) { models[section] = model }
    }
    return models
  }

  /// The sections that lose their model in this batch, in no particular order; empty in a reset.
  ///
  /// Some of them are deleted, others stay without a model.
  ///
  /// - Complexity: O(c · log s) for c deleted, reconfigured or reloaded sections among s.
  public var removedSectionModels: [SectionID] {
    guard let previous = update.previousSnapshot else { return [] }
    let deleted = update.difference.sectionDeletes.ranges.joined()
      .compactMap(previous.sectionIdentifier(at:))
    return IdentifierSet(sectionsShownAnew + deleted).inOrder.filter {
      previous.content(ofSection: $0) != nil && update.snapshot.content(ofSection: $0) == nil
    }
  }
}

extension ModelBatch {
  /// The sections that this batch inserts, reconfigures or reloads; in a reset, all sections.
  ///
  /// - Complexity: O(c · log s) for c such sections among s.
  private var sectionsShownAnew: [SectionID] {
    let (difference, snapshot) = (update.difference, update.snapshot)
    guard let previous = update.previousSnapshot else { return snapshot.sectionIdentifiers }
    let new = difference.sectionInserts.union(difference.sectionReconfigures)
    return new.ranges.joined().compactMap(snapshot.sectionIdentifier(at:))
      + difference.sectionReloads.ranges.joined().compactMap(previous.sectionIdentifier(at:))
  }
}

extension ModelBatch where Model: ChangeDescribing {
  /// The change of the model of an item that stays.
  ///
  /// It is `nil` if the model is the same, or the item did not exist before.
  ///
  /// - Complexity: The same as ``Snapshot/itemPath(for:)``, plus describing the change.
  public func change(of item: Model.ID) -> Model.Change? {
    guard let old = previousModel(for: item), let new = model(for: item), old != new else {
      return nil
    }
    return new.change(since: old)
  }
}

extension ModelBatch: CustomStringConvertible {
  /// What changed, in the compact notation of ``UpdateBatch``.
  public var description: String { update.description }
}

/// What changes among the items that outlines hide; differences do not list them.
extension Snapshot {
  /// The models of hidden items: those that an earlier state does not have in the same section, or has
  /// with another model.
  ///
  /// - Complexity: O(d · log n) for d leaves that differ among n items.
  func hiddenModels(since previous: Snapshot) -> [HeldModel] {
    guard base.order.totals.hiddenRows > 0, let models = kernels.models else { return [] }
    var hidden: [HeldModel] = []
    for section in SnapshotComparison(old: previous.base, new: base).touched {
      guard let outline = order[section.new].outline?.value else { continue }
      let old = section.old.flatMap { previous.order[$0].outline?.value }
      outline.forEachRow(since: old ?? outline.emptied, models) { position, _ in
        guard !outline.rows[position].isVisible else { return }
        if let model = outline.rows.base.model(at: position) { hidden.append(model) }
      }
    }
    return hidden
  }

  /// Calls a function with the items that are hidden here and that a later state does not have.
  ///
  /// - Complexity: O(d · log n) for d leaves that differ among n items, and a lookup in the later
  ///   state for each hidden item that has left its place.
  func forEachHiddenItem(leftOutBy next: Snapshot, _ body: (ItemID) -> Void) {
    guard order.totals.hiddenRows > 0 else { return }
    func visit(_ rows: some Sequence<Int>, of section: Int) {
      guard let outline = order[section].outline?.value else { return }
      for position in rows {
        let row = outline.rows[position]
        if !row.isVisible, !next.containsItem(row.id) { body(row.id) }
      }
    }
    let correspondence = SnapshotComparison(old: base, new: next.base).correspondence
    for section in correspondence.sectionDeletes.joined() {
      visit(0..<(order[section].outline?.value.count ?? 0), of: section)
    }
    for outline in correspondence.outlines { visit(outline.departures.joined(), of: outline.old) }
  }
}

/// A model that can describe which fields differ from an older version.
///
/// A row that is reconfigured can then update only what has changed: see
/// ``ModelBatch/change(of:)``. The description compares the two versions before and after a batch.
/// So it covers all revisions that the batch spans, however many there are, and tells what a view
/// has to update, not what happened in between.
///
/// ```swift
/// extension Note: ChangeDescribing {
///   enum Field { case title, text }
///
///   func change(since old: Note) -> Set<Field> {
///     var fields: Set<Field> = []
///     if title != old.title { fields.insert(.title) }
///     if text != old.text { fields.insert(.text) }
///     return fields
///   }
/// }
/// ```
public protocol ChangeDescribing: Identifiable, Equatable, Sendable {
  /// The description of a change, such as a set of fields.
  associatedtype Change: Sendable

  /// What differs from an older version of the same model.
  func change(since old: Self) -> Change
}
