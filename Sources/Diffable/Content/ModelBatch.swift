/// One step of a renderer of models: what changed, and the models before and after.
///
/// The batch answers for every item of both states, and copies none of their models: all versions
/// share what they have in common. ``models`` lists what a renderer that keeps models itself has to
/// take over.
///
/// A batch can be encoded where the identifiers and the models can.
public struct ModelBatch<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
>: Sendable where Model.ID: Sendable {
  /// What changed in the order, and which rows and headers show something else.
  public let update: UpdateBatch<SectionID, Model.ID>
  /// The name of the state that this batch leads to, to resume after it, see ``UpdateBatch/token``.
  public var token: ResumeToken { update.token }

  let content: ModelContent<SectionID, Model>
  let previousContent: ModelContent<SectionID, Model>

  init(
    update: UpdateBatch<SectionID, Model.ID>, content: ModelContent<SectionID, Model>,
    previousContent: ModelContent<SectionID, Model>
  ) {
    self.update = update
    self.content = content
    self.previousContent = previousContent
  }

  /// The batch that leads to the end of a transition of a ``ModelSource``.
  init(_ update: UpdateBatch<SectionID, Model.ID>, of transition: HubTransition) {
    typealias Reader = RevisionReader<SectionID, Model.ID, ModelContent<SectionID, Model>>
    let base = transition.isReset ? nil : transition.base
    self.init(
      update: update, content: Reader.pair(of: transition.target.state).content,
      previousContent: base.map { Reader.pair(of: $0.state).content } ?? ModelContent())
  }

  /// The model of an item after this batch, or `nil` if the item is not in its snapshot.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func model(for item: Model.ID) -> Model? {
    content.models[item]
  }

  /// The model of an item before this batch, or `nil` if the item was not there or the batch is a
  /// reset.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func previousModel(for item: Model.ID) -> Model? {
    previousContent.models[item]
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
    func add(_ item: Model.ID?) {
      guard let item, let model = content.models[item] else { return }
      models[item] = model
    }
    guard let previous = update.previousSnapshot else {
      models.reserveCapacity(content.models.count)
      update.snapshot.forEachItem(add)
      return models
    }
    let difference = update.difference
    for index in difference.sectionInserts.ranges.joined() {
      update.snapshot.items(inSectionAt: index).forEach(add)
    }
    for path in difference.itemInserts { add(update.snapshot.itemIdentifier(for: path)) }
    for path in difference.itemReconfigures { add(update.snapshot.itemIdentifier(for: path)) }
    for path in difference.itemReloads { add(previous.itemIdentifier(for: path)) }
    return models
  }

  /// The items that are gone, in no particular order; none in a reset.
  ///
  /// - Complexity: O(c · log n) for c deleted items among n, those of deleted sections included.
  public var removedItems: [Model.ID] {
    guard let previous = update.previousSnapshot else { return [] }
    var removed: [Model.ID] = []
    func add(_ item: Model.ID?) {
      guard let item, content.models[item] == nil else { return }
      removed.append(item)
    }
    for index in update.difference.sectionDeletes.ranges.joined() {
      previous.items(inSectionAt: index).forEach(add)
    }
    for path in update.difference.itemDeletes { add(previous.itemIdentifier(for: path)) }
    return removed
  }
}

extension ModelBatch where SectionID: ModelledSection {
  /// The model of a section after this batch, or `nil` if it has none or is not there.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func sectionModel(for section: SectionID) -> SectionID.SectionModel? {
    content.sections[section]?.model as? SectionID.SectionModel
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
      previousContent.sections[$0]?.model != nil && content.sections[$0]?.model == nil
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
  /// - Complexity: O(log n) for n items, given a good hash, besides describing the change.
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

extension Snapshot {
  /// Calls a function with every item, in order.
  func forEachItem(_ body: (ItemID) -> Void) {
    for record in records { Items(base: record.items).forEach(body) }
  }
}
