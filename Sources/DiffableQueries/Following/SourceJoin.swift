import Diffable

/// A list whose rows show something of another list, before a query.
final class SourceJoin<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable,
  OtherSectionID: Hashable & Sendable, OtherItemID: Hashable & Sendable
>: SourceFront {
  typealias Key = @Sendable (UnsafeRawPointer) -> OtherItemID?
  typealias Map = @Sendable (Snapshot<OtherSectionID, OtherItemID>) -> RowMap

  /// The row of the other source that a row names.
  private let key: Key
  /// What is shown for a row, given the state in which the other row is looked up.
  private let rowMap: Map
  private let step: QueryStep<SectionID, SectionID, ItemID>
  private var front: QueryPart<SectionID, SectionID, ItemID>
  private var base: Snapshot<SectionID, ItemID>?
  private var other: Snapshot<OtherSectionID, OtherItemID>?
  /// The rows that name each row that the other list has or may get.
  private var names = IdentifierRelation<OtherItemID, ItemID>()

  /// - Parameters:
  ///   - element: The type of what the base shows for a row.
  ///   - kernels: The kernels of the joined rows.
  ///   - other: The kernels of the other source.
  init(
    element: any Any.Type, key: @escaping Key, map rowMap: @escaping Map,
    _ kernels: SnapshotKernels, other: SnapshotKernels
  ) {
    (self.key, self.rowMap) = (key, rowMap)
    var rules = StepRules<SectionID, SectionID, ItemID>(
      element: element, sections: .same(SameSections()))
    rules.map = (rowMap(Snapshot(other)), kernels)
    step = QueryStep(rules)
    front = QueryPart(step)
  }

  func advance<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    guard index == 0 else {
      return try look(into: input.typed(as: OtherSectionID.self, OtherItemID.self))
    }
    let input = input.typed(as: SectionID.self, ItemID.self)
    base = input.snapshot
    guard other != nil else { return nil }
    note(input)
    return try front.advance(input)
  }

  func renames<Section, Item>(
    in batch: UpdateBatch<Section, Item>, ofFeed index: Int
  ) -> [ItemRename<ItemID>] {
    // The rows of the other source are only named.
    index == 0 ? batch.renames(as: ItemID.self) : []
  }

  func showsUnconfirmedItems(ofFeed index: Int) -> Bool { index == 0 }

  var present: StepInput<SectionID, ItemID>? { front.present }

  /// Updates rows after a change of the rows that they name.
  private func look(
    into input: StepInput<OtherSectionID, OtherItemID>
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    other = input.snapshot
    step.map = rowMap(input.snapshot)
    guard let base else { return nil }
    guard !step.isFresh, case .changed(from: let old, let difference) = input.origin,
      let rows = InputChange(from: old, to: input.snapshot, difference).rows(
        atMost: InputChange<SectionID, ItemID>.limit(among: base.numberOfItems))
    else {
      noteAll(of: base)
      return try front.advance(StepInput(base, .unknown))
    }
    var renewed = IdentifierSet<ItemID>()
    func renew(_ name: OtherItemID) {
      for item in names[name] { renewed.insert(item) }
    }
    for path in rows.leaving { renew(old.row(at: path).item()) }
    for path in rows.entering + rows.updated { renew(input.snapshot.row(at: path).item()) }
    guard !renewed.isEmpty else { return nil }
    var change = SnapshotDifference()
    change.itemReconfigures = ItemPathSet(renewed.inOrder.compactMap(base.itemPath(for:)))
    step.renewed = renewed
    defer { step.renewed = IdentifierSet() }
    return try front.advance(StepInput(base, .changed(from: base, change)))
  }

  /// Records which rows name which others.
  private func note(_ input: StepInput<SectionID, ItemID>) {
    let new = input.snapshot
    guard !step.isFresh, case .changed(from: let old, let difference) = input.origin else {
      return noteAll(of: new)
    }
    let change = InputChange(from: old, to: new, difference)
    guard
      let rows = change.rows(
        atMost: InputChange<SectionID, ItemID>.limit(among: new.numberOfItems))
    else { return noteAll(of: new) }
    for path in rows.leaving { forget(old.row(at: path)) }
    for path in rows.updated {
      if let path = change.map.oldPath(forNew: path) { forget(old.row(at: path)) }
    }
    for path in rows.entering + rows.updated { remember(new.row(at: path)) }
  }

  private func noteAll(of state: Snapshot<SectionID, ItemID>) {
    names = IdentifierRelation()
    var rows: [RowPlace] = []
    for index in 0..<state.numberOfSections {
      state.appendRows(ofSectionAt: index, passing: nil, to: &rows)
    }
    withExtendedLifetime(state) { rows.forEach(remember) }
  }

  private func remember(_ row: RowPlace) {
    if let name = key(row.element) { names.insert(row.item(), for: name) }
  }

  private func forget(_ row: RowPlace) {
    if let name = key(row.element) { names.remove(row.item(), for: name) }
  }
}
