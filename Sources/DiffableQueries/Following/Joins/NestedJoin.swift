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
  typealias Rest = SourceJoin<
    OtherSectionID, SingleSection, Right.ID, RowPartners<SectionID, Left.ID>
  >
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
  /// The rows of the second list that name no row of the first, if they are shown.
  private let rest: Rest?
  let rows: NestedRows<SectionID, Row>
  private(set) var base: Base?

  /// - Parameters:
  ///   - other: The kernels of the second list.
  ///   - kernels: The kernels of the joined rows.
  init(
    _ rule: Rule, _ keys: RowKeys<Left.ID?>, other: SnapshotKernels, _ kernels: SnapshotKernels
  ) {
    self.rule = rule
    let groups = GroupPartners<OtherSectionID, Right.ID, Left.ID>(keys, element: Right.self, other)
    self.groups = groups
    rest = rule.kind.unmatched.map { _ in
      Rest(
        nil,
        .known { name, body in
          guard let groups = groups.state else { return }
          withExtendedLifetime(groups) {
            for row in groups.rows(ofGroup: name) { body(row.item()) }
          }
        },
        .test { base in
          RowTest { (right: Right) in
            rule.name(right).map { base.itemPath(for: $0) == nil } ?? true
          }
        }, StepRules(element: Right.self, joiningSectionsOf: other), RowPartners(areRead: false))
    }
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
    let base = input.snapshot
    self.base = base
    let change = rows.isBroken ? nil : input.change
    let rest = try self.rest?.look(into: input, atMost: change?.limit)
    guard groups.state != nil else { return nil }
    let marks = marks(of: input)
    guard let change, let changed = change.rows() else { return try replaceAll(base, marks) }
    var plan = rows.plan(change, changed, elementRule)
    guard planRest(rest ?? self.rest?.present, &plan) else { return try replaceAll(base, marks) }
    return try rows.advance(plan, outer: base, marks: { _ in marks })
  }

  /// Follows the second list.
  private func follow(
    _ input: StepInput<OtherSectionID, Right.ID>
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    let grouped = try groups.advance(input)
    let rest = try self.rest?.advance(input, ofFeed: 0)
    guard let base else { return nil }
    let marks = marks(of: input)
    var plan = NestedPlan<SectionID, Row>()
    guard !rows.isBroken, planGroups(grouped, base, &plan),
      planRest(rest ?? self.rest?.present, &plan)
    else { return try replaceAll(base, marks) }
    return try rows.advance(plan, outer: base, marks: { _ in marks })
  }

  private func replaceAll(
    _ base: Base, _ marks: State.Marks
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID> {
    var sections = rows.sections(of: base, elementRule)
    if let unmatched = rule.kind.unmatched, let rest = rest?.state, rest.numberOfItems > 0 {
      let others = withExtendedLifetime(rest) {
        rest.places().map { Row.right($0.copy()) }
      }
      let index = base.indexOfSection(unmatched) ?? sections.count
      if index == sections.count { sections.append(.init(id: unmatched)) }
      sections[index].rows += others
    }
    return try rows.replace(by: sections, marks: { _ in marks })
  }
}
