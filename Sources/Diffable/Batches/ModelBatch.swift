/// One step of a renderer of models: what changed, and the models before and after.
///
/// The batch answers for every item of both states, and copies none of their models: all versions
/// share what they have in common. ``models`` lists what a renderer that keeps models itself has to
/// take over.
///
/// A batch can be encoded where the identifiers and the models can.
public struct ModelBatch<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
>: ListBatch where Model.ID: Sendable {
  /// An item is identified by the `id` of its model.
  public typealias ItemID = Model.ID

  /// What changed in the order, and which rows and headers show something else.
  public let update: UpdateBatch<SectionID, Model.ID>

  /// Makes the batch with the models that an update of a ``ModelSource`` has, such as a preview of
  /// a drag.
  public init(_ update: UpdateBatch<SectionID, Model.ID>) {
    self.update = update
  }

  /// The model of an item in a state of a source of models.
  public static func element(
    for item: Model.ID, in snapshot: Snapshot<SectionID, Model.ID>
  ) -> Model? {
    snapshot.model(of: item, as: Model.self)
  }

  /// The model of an item after this batch, or `nil` if the item is not in its snapshot.
  ///
  /// - Complexity: That of ``Snapshot/itemPath(for:)``.
  public func model(for item: Model.ID) -> Model? {
    update.snapshot.model(of: item, as: Model.self)
  }

  /// The model of an item before this batch, or `nil` if the item was not there or the batch is a
  /// reset.
  ///
  /// - Complexity: That of ``Snapshot/itemPath(for:)``.
  public func previousModel(for item: Model.ID) -> Model? {
    update.previousSnapshot?.model(of: item, as: Model.self)
  }

  /// The models of exactly what this batch inserts, reconfigures or reloads; all of them in a
  /// reset.
  ///
  /// If you keep models in a dictionary of your own, drop ``removedItems`` from it and take these
  /// over: then it has those of the batch's snapshot.
  ///
  /// - Complexity: O(c · log n) for c such items among n.
  public var models: [Model.ID: Model] {
    var models: [Model.ID: Model] = [:]
    let snapshot = update.snapshot
    func add(at path: ItemPath) {
      guard let item = snapshot.itemIdentifier(for: path) else { return }
      models[item] = snapshot.model(at: path, as: Model.self)
    }
    func addAll(inSectionAt index: Int) {
      for item in snapshot.items(inSectionAt: index).indices {
        add(at: ItemPath(section: index, item: item))
      }
    }
    guard update.previousSnapshot != nil else {
      models.reserveCapacity(snapshot.numberOfItems)
      (0..<snapshot.numberOfSections).forEach(addAll(inSectionAt:))
      return models
    }
    let difference = update.difference
    difference.sectionInserts.ranges.joined().forEach(addAll(inSectionAt:))
    difference.itemInserts.forEach(add(at:))
    difference.itemReconfigures.forEach(add(at:))
    let map = PositionMap(difference)
    difference.itemReloads.compactMap(map.newPath(forOld:)).forEach(add(at:))
    return models
  }

  /// The items that are gone, in no particular order, and the former identifiers of renamed ones; none
  /// in a reset.
  ///
  /// - Complexity: O(c · log n) for c deleted items among n, those of deleted sections included.
  ///   Where the new state has outlines or new sections, c questions as of
  ///   ``Snapshot/itemPath(for:)``.
  public var removedItems: [Model.ID] {
    guard let previous = update.previousSnapshot else { return [] }
    let (difference, snapshot) = (update.difference, update.snapshot)
    // What has left the matched sections may be in one that has come, or hidden.
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
    return removed
  }
}

extension ModelBatch where SectionID: ModelledSection {
  /// The model of a section after this batch, or `nil` if it has none or is not there.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func sectionModel(for section: SectionID) -> SectionID.SectionModel? {
    update.snapshot.sectionModel(of: section)
  }

  /// The models of exactly those sections that this batch inserts, reconfigures or reloads and that
  /// have one; all of them in a reset.
  ///
  /// If you keep section models in a dictionary of your own, drop ``removedSectionModels`` from it
  /// and take these over: then it has those of the batch's snapshot.
  ///
  /// - Complexity: O(c · log s) for c such sections among s.
  public var sectionModels: [SectionID: SectionID.SectionModel] {
    var models: [SectionID: SectionID.SectionModel] = [:]
    for section in sectionsShownAnew {
      if let model = sectionModel(for: section) { models[section] = model }
    }
    return models
  }

  /// The sections that had a model before this batch and have none after it, in no particular
  /// order; none in a reset.
  ///
  /// Some of them are gone, others are there without a model.
  ///
  /// - Complexity: O(c · log s) for c deleted, reconfigured or reloaded sections among s.
  public var removedSectionModels: [SectionID] {
    guard let previous = update.previousSnapshot else { return [] }
    let deleted = update.difference.sectionDeletes.ranges.joined()
      .compactMap(previous.sectionIdentifier(at:))
    return sectionsShownAnew.union(deleted).filter {
      previous.content(ofSection: $0) != nil && update.snapshot.content(ofSection: $0) == nil
    }
  }
}

extension ModelBatch {
  /// The sections that this batch inserts, reconfigures or reloads; all of them in a reset.
  ///
  /// - Complexity: O(c · log s) for c such sections among s.
  var sectionsShownAnew: Set<SectionID> {
    let (difference, snapshot) = (update.difference, update.snapshot)
    guard let previous = update.previousSnapshot else { return Set(snapshot.sectionIdentifiers) }
    let new = difference.sectionInserts.union(difference.sectionReconfigures)
    return Set(new.ranges.joined().compactMap(snapshot.sectionIdentifier(at:)))
      .union(difference.sectionReloads.ranges.joined().compactMap(previous.sectionIdentifier(at:)))
  }
}

extension ModelBatch where Model: ChangeDescribing {
  /// What changed in the model of an item that stays, or `nil` if its model is the same or was not
  /// there before.
  ///
  /// - Complexity: That of ``Snapshot/itemPath(for:)``, besides describing the change.
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
