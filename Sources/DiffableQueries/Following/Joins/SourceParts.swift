import Diffable

/// A list that shows several rows for each element of another one, before a query.
final class SourceParts<
  SectionID: Hashable & Sendable, WholeID: Hashable & Sendable,
  Value: Identifiable & Equatable & Sendable
>: SourceFront where Value.ID: Sendable {
  typealias Row = PartRow<WholeID, Value>
  typealias ItemID = PartID<WholeID, Value.ID>
  /// The values that are shown for an element.
  typealias Values = @Sendable (UnsafeRawPointer) -> [Value]

  private let values: Values
  private let rows: NestedRows<SectionID, Row>
  private var base: Snapshot<SectionID, WholeID>?
  /// The rows of elements that the present batch has renamed, by both identifiers.
  private var renamed: [ItemRename<ItemID>] = []

  init(_ values: @escaping Values, _ kernels: SnapshotKernels) {
    self.values = values
    rows = NestedRows(kernels)
  }

  var operation: String? { "flatMapped" }
  var beginnings: Int { rows.beginnings }
  var present: StepInput<SectionID, ItemID>? { rows.present }

  func advance<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    let input = input.typed(as: SectionID.self, WholeID.self)
    let new = input.snapshot
    defer { base = new }
    let rule = NestedRows<SectionID, Row>.Rule(rows: parts)
    if !rows.isBroken, let change = input.change, let changed = change.rows() {
      return try rows.advance(
        rows.plan(change, changed, rule), outer: new,
        marks: { state in self.marks(of: input, self.renamed, in: state) })
    }
    return try rows.replace(
      by: rows.sections(of: new, rule), marks: { self.marks(of: input, [], in: $0) })
  }

  /// The rows of an element: of values with equal identifiers, the first counts.
  private func parts(of element: RowPlace) -> [Row] {
    let whole = element.item(as: WholeID.self)
    let rows = values(element.element).map { Row($0, of: whole) }
    guard rows.count > 1 else { return rows }
    var known = IdentifierSet<Value.ID>()
    return rows.filter { row in
      guard !known.contains(row.id.part) else { return false }
      known.insert(row.id.part)
      return true
    }
  }

  /// What writers have marked, for the rows of what they have marked.
  private func marks(
    of input: StepInput<SectionID, WholeID>, _ renames: [ItemRename<ItemID>],
    in state: Snapshot<SectionID, ItemID>
  ) -> Snapshot<SectionID, ItemID>.Marks {
    input.marks.translated(
      { $0 }, rows: { self.items(of: $0, in: input.snapshot, state) },
      renames: renames.filter { state.containsItem($0.new) && !state.containsItem($0.old) })
  }

  /// The rows of an element in a state that has been made of others.
  private func items(
    of whole: WholeID, in base: Snapshot<SectionID, WholeID>, _ state: Snapshot<SectionID, ItemID>
  ) -> [ItemID] {
    guard let path = base.itemPath(for: whole) else { return [] }
    return rows.items(of: path.item, in: base.section(at: path.section), of: state)
  }

  func renames<Section, Item>(
    in batch: UpdateBatch<Section, Item>, ofFeed index: Int
  ) -> [ItemRename<ItemID>] {
    renamed = []
    guard !batch.difference.itemRenames.isEmpty, !rows.isBroken,
      let old = batch.previousSnapshot as? Snapshot<SectionID, WholeID>,
      let new = batch.snapshot as? Snapshot<SectionID, WholeID>
    else { return [] }
    let map = PositionMap(batch.difference)
    renamed = batch.difference.itemRenames.flatMap { path -> [ItemRename<ItemID>] in
      guard let oldPath = map.oldPath(forNew: path), let name = new.itemIdentifier(for: path) else {
        return []
      }
      return rows.items(of: oldPath.item, in: old.section(at: oldPath.section)).map {
        ItemRename(old: $0, new: ItemID(whole: name, part: $0.part))
      }
    }
    return renamed
  }

  func unconfirmedItems(of feeds: [any Feed]) -> Set<ItemID> {
    let unconfirmed: Set<WholeID> = feeds[0].unconfirmedItems()
    guard !unconfirmed.isEmpty, let base else { return [] }
    return Set(unconfirmed.flatMap { items(of: $0, in: base, rows.state) })
  }
}
