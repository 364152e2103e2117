import Diffable

/// The rows of two lists as one list, those of the second with the row of the first that they name, before a
/// query.
///
/// The second list is kept in groups by what its rows name, and the rows of a group follow the place of what they
/// name. Rows of the second list that name no row of the first are kept in one more list, if they are shown.
final class NestedJoin<
  SectionID: Hashable & Sendable, OtherSectionID: Hashable & Sendable,
  Left: Identifiable & Equatable & Sendable, Right: Identifiable & Equatable & Sendable
>: SourceFront where Left.ID: Sendable, Right.ID: Sendable {
  typealias Row = JoinedRow<Left, Right>
  typealias ItemID = JoinedID<Left.ID, Right.ID>
  typealias Base = Snapshot<SectionID, Left.ID>
  typealias Groups = NameGroups<Left.ID, Right.ID>
  typealias Rest = Snapshot<SingleSection, Right.ID>
  typealias State = Snapshot<SectionID, ItemID>

  /// How the rows are shown.
  struct Rule {
    let kind: JoinKind<SectionID>
    /// Whether each row of the first list is a row of its own, before those that name it.
    let isTree: Bool
    /// What a row of the second list names.
    let name: @Sendable (Right) -> Left.ID?
  }

  let rule: Rule
  let groups: GroupPartners<OtherSectionID, Right.ID, Left.ID>
  private let restStep: QueryStep<OtherSectionID, SingleSection, Right.ID>
  private var restPart: QueryPart<OtherSectionID, SingleSection, Right.ID>
  let rows: NestedRows<SectionID, Row>
  private(set) var base: Base?
  private var other: Snapshot<OtherSectionID, Right.ID>?
  private(set) var rest: Rest

  /// - Parameters:
  ///   - other: The kernels of the second list.
  ///   - kernels: The kernels of the joined rows.
  init(
    _ rule: Rule, _ keys: RowKeys<Left.ID?>, other: SnapshotKernels, _ kernels: SnapshotKernels
  ) {
    self.rule = rule
    groups = GroupPartners(keys, element: Right.self, other)
    restStep = QueryStep(StepRules(element: Right.self, joiningSectionsOf: other))
    restPart = QueryPart(restStep)
    rest = Rest(restStep.kernels(from: other))
    rows = NestedRows(kernels, extra: rule.kind.unmatched)
  }

  var operation: String? {
    rule.isTree ? "outlined(withEachOf:by:)" : "joined(withEachOf:by:)"
  }

  var beginnings: Int { rows.beginnings }
  var present: StepInput<SectionID, ItemID>? { rows.present }

  func advance<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    index == 0
      ? try follow(input.typed(as: SectionID.self, Left.ID.self))
      : try follow(input.typed(as: OtherSectionID.self, Right.ID.self))
  }

  /// Follows the first list.
  private func follow(
    _ input: StepInput<SectionID, Left.ID>
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    let new = input.snapshot
    base = new
    guard other != nil else { return nil }
    let change = rows.isBroken ? nil : input.change
    let changed = change?.rows()
    let rest = try advanceRest(change, changed)
    let marks = { (state: State) in self.marks(of: input, in: state) }
    guard let change, let changed else { return try replaceAll(marks) }
    var plan = rows.plan(change, changed, elementRule)
    guard planRest(rest, &plan) else { return try replaceAll(marks) }
    return try make(plan, marks)
  }

  /// Follows the second list.
  private func follow(
    _ input: StepInput<OtherSectionID, Right.ID>
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    other = input.snapshot
    let grouped = try groups.advance(input)
    var rest = StepInput(rest, .same)
    if rule.kind.unmatched != nil, let base {
      restStep.test = test(for: base)
      rest = try advance(rest: input)
    }
    guard base != nil else { return nil }
    let marks = { (state: State) in self.marks(of: input, in: state) }
    var plan = NestedPlan<SectionID, Row>()
    guard !rows.isBroken, planGroups(grouped, &plan), planRest(rest, &plan)
    else { return try replaceAll(marks) }
    return try make(plan, marks)
  }

  private func make(
    _ plan: NestedPlan<SectionID, Row>, _ marks: (State) -> State.Marks
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    guard let base else { return nil }
    return try rows.advance(
      plan, outer: base.indexOfSection, header: base.content(ofSection:), marks: marks)
  }

  private func replaceAll(
    _ marks: (State) -> State.Marks
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    guard let base else { return nil }
    var sections = rows.sections(of: base, elementRule)
    if let unmatched = rule.kind.unmatched, rest.numberOfItems > 0 {
      let others = withExtendedLifetime(rest) { () -> [Row] in
        var places: [RowPlace] = []
        rest.appendRows(ofSectionAt: 0, passing: nil, to: &places)
        return places.map { .right($0.copy()) }
      }
      let index = base.indexOfSection(unmatched) ?? sections.count
      if index == sections.count { sections.append(.init(id: unmatched)) }
      sections[index].rows += others
    }
    return try rows.replace(by: sections, marks: marks)
  }

  // MARK: Rows of the second list that name no row of the first

  /// Keeps the rows that name no row of a state.
  private func test(for base: Base) -> RowTest {
    RowTest { [name = rule.name] (right: Right) in
      name(right).map { base.itemPath(for: $0) == nil } ?? true
    }
  }

  /// Lets them follow the first list.
  private func advanceRest(
    _ change: InputChange<SectionID, Left.ID>?, _ changed: ChangedRows?
  ) throws(SnapshotError) -> StepInput<SingleSection, Right.ID> {
    guard rule.kind.unmatched != nil, let base, let other, let groups = groups.state else {
      return StepInput(rest, .same)
    }
    restStep.test = test(for: base)
    guard let change, let changed, !restStep.isFresh else {
      return try advance(rest: StepInput(other, .unknown))
    }
    let names = change.comingOrGoing(changed)
    let paths = withExtendedLifetime(groups) {
      names.flatMap { groups.rows(ofGroup: $0) }.compactMap { row in
        other.itemPath(for: row.item(as: Right.ID.self))
      }
    }
    guard !paths.isEmpty else { return StepInput(rest, .same) }
    return try advance(rest: StepInput(other, reconfiguring: paths))
  }

  private func advance(
    rest input: StepInput<OtherSectionID, Right.ID>
  ) throws(SnapshotError) -> StepInput<SingleSection, Right.ID> {
    let made = try restPart.advance(input)
    rest = made.snapshot
    return made
  }
}
