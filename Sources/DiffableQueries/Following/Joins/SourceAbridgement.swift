import Diffable

/// A list that shows the first rows of each section of another one, and how many there are more, before a query.
///
/// A section step keeps the first rows. They are rows of the result, and one row of no element is after them.
final class SourceAbridgement<
  SectionID: Hashable & Sendable, Element: Identifiable & Equatable & Sendable
>: SourceFront where Element.ID: Sendable {
  typealias Row = AbridgedRow<SectionID, Element>
  typealias ItemID = AbridgedID<SectionID, Element.ID>
  typealias Base = Snapshot<SectionID, Element.ID>

  private var part: QueryPart<SectionID, SectionID, Element.ID>
  private let rows: NestedRows<SectionID, Row>

  init(length: Int, _ kernels: SnapshotKernels) {
    var rules = SectionRules<SectionID, Never>(element: Element.self)
    rules.length = length
    part = QueryPart(SectionStep(rules))
    rows = NestedRows(kernels)
  }

  var operation: String? { "abridged(to:)" }
  var beginnings: Int { rows.beginnings }
  var present: StepInput<SectionID, ItemID>? { rows.present }

  func advance<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    let input = input.typed(as: SectionID.self, Element.ID.self)
    let first = try part.advance(input)
    let marks = { (state: Snapshot<SectionID, ItemID>) in self.marks(of: input, in: state) }
    if !rows.isBroken, let plan = plan(input, first) {
      return try rows.advance(plan, outer: input.snapshot, marks: marks)
    }
    var sections = rows.sections(of: first.snapshot, rule)
    for index in sections.indices {
      if let more = more(in: sections[index].id, of: input.snapshot, first.snapshot) {
        sections[index].rows.append(more)
      }
    }
    return try rows.replace(by: sections, marks: marks)
  }

  private var rule: NestedRows<SectionID, Row>.Rule { .init(rows: { [.row($0.copy())] }) }

  /// The row that says how many rows of a section are left out, if there are any.
  private func more(in section: SectionID, of base: Base, _ first: Base) -> Row? {
    let count = base.numberOfItems(inSection: section) - first.numberOfItems(inSection: section)
    return count > 0 ? .more(section, count) : nil
  }

  /// The effect of a change; `nil` if it is unknown or too large.
  ///
  /// - Complexity: O(c · log n) for c changed rows of n.
  private func plan(
    _ input: StepInput<SectionID, Element.ID>, _ first: StepInput<SectionID, Element.ID>
  ) -> NestedPlan<SectionID, Row>? {
    guard let change = input.change, let changed = change.rows(), let shown = first.change,
      let changedShown = shown.rows(atMost: change.limit)
    else { return nil }
    var plan = rows.plan(shown, changedShown, rule)
    let touched = IdentifierSet(
      changed.leaving.map { change.old.section(at: $0.section) }
        + changed.entering.map { change.new.section(at: $0.section) })
    for section in touched.inOrder where input.snapshot.containsSection(section) {
      planLast(of: section, more(in: section, of: input.snapshot, first.snapshot), &plan)
    }
    return plan
  }

  /// Plans for the last row of a section, which says how many there are more.
  private func planLast(
    of section: SectionID, _ more: Row?, _ plan: inout NestedPlan<SectionID, Row>
  ) {
    var (end, hasMore) = (0, false)
    if let index = rows.state.indexOfSection(section), !plan.sectionDeletes.contains(section) {
      end = rows.start(of: nil, in: section)
      hasMore = rows.state.itemCount(ofSectionAt: index) > end
    }
    switch (more, hasMore) {
    case (let more?, true): plan.updates.append(more)
    case (let more?, false):
      plan.insert(more, at: end, NestedPlace(element: .max, row: 0), of: section)
    case (nil, true): plan.remove(end..<end + 1, of: section)
    case (nil, false): break
    }
  }

  /// What writers have marked and renamed, as far as it is shown.
  private func marks(
    of input: StepInput<SectionID, Element.ID>, in state: Snapshot<SectionID, ItemID>
  ) -> Snapshot<SectionID, ItemID>.Marks {
    input.marks.translated(
      { $0 }, rows: { [.row($0)] },
      renames: input.marks.renames.inOrder.map { $0.map(ItemID.row) }.filter {
        state.containsItem($0.new) && !state.containsItem($0.old)
      })
  }

  func renames<Section, Item>(
    in batch: UpdateBatch<Section, Item>, ofFeed index: Int
  ) -> [ItemRename<ItemID>] {
    batch.renames(as: Element.ID.self).map { $0.map(ItemID.row) }
  }

  func unconfirmedItems(of feeds: [any Feed]) -> Set<ItemID> {
    let unconfirmed: Set<Element.ID> = feeds[0].unconfirmedItems()
    return Set(unconfirmed.map { .row($0) })
  }
}
