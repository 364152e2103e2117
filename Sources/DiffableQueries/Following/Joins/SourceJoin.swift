import Diffable

/// A list whose rows show something of another list, before a query.
///
/// A row keeps its identifier and its place.
final class SourceJoin<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Partners: JoinPartners
>: LookingUpFront {
  /// How rows are joined with their partners.
  struct Rule {
    /// What a row names.
    let name: @Sendable (UnsafeRawPointer) -> Partners.Name?
    /// What is shown for a row, given the state in which partners are looked up.
    let map: @Sendable (Partners.State) -> RowMap
  }

  private let rule: Rule
  private let partners: Partners
  private let step: QueryStep<SectionID, SectionID, ItemID>
  private var front: QueryPart<SectionID, SectionID, ItemID>
  private var base: Snapshot<SectionID, ItemID>?
  /// The rows that have each name, whether there are partners or not.
  private var names = IdentifierRelation<Partners.Name, ItemID>()
  var unconfirmedItems: Set<ItemID> = []
  var operation: StepIdentity.Kind? { partners.operation }
  var beginnings: Int { step.beginnings }

  /// - Parameters:
  ///   - element: The type of what the base shows for a row.
  ///   - state: A state without partners.
  ///   - kernels: The kernels of the joined rows.
  init(
    _ rule: Rule, element: any Any.Type, _ partners: Partners, _ state: Partners.State,
    _ kernels: SnapshotKernels
  ) {
    (self.rule, self.partners) = (rule, partners)
    var rules = StepRules<SectionID, SectionID, ItemID>(
      element: element, sections: .same(SameSections()))
    rules.map = (rule.map(state), kernels)
    step = QueryStep(rules)
    front = QueryPart(step)
  }

  func advance<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    guard index == 0 else { return try look(into: input) }
    let input = input.typed(as: SectionID.self, ItemID.self)
    base = input.snapshot
    guard partners.state != nil else { return nil }
    note(input)
    return try front.advance(input)
  }

  var present: StepInput<SectionID, ItemID>? { front.present }

  /// Updates rows after a change of what they name.
  private func look<Section, Item>(
    into input: StepInput<Section, Item>
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    let changed = try partners.follow(
      input,
      atMost: InputChange<SectionID, ItemID>.limit(among: base?.numberOfItems ?? 0))
    guard let state = partners.state else { return nil }
    step.map = rule.map(state)
    guard let base else { return nil }
    guard !step.isFresh, let changed else {
      noteAll(of: base)
      return try front.advance(StepInput(base, .unknown))
    }
    var renewed = IdentifierSet<ItemID>()
    for name in changed {
      for item in names[name] { renewed.insert(item) }
    }
    guard !renewed.isEmpty else { return nil }
    let paths = renewed.inOrder.compactMap(base.itemPath(for:))
    step.renewed = renewed
    defer { step.renewed = IdentifierSet() }
    return try front.advance(StepInput(base, reconfiguring: paths))
  }

  /// Records which rows name which others.
  private func note(_ input: StepInput<SectionID, ItemID>) {
    guard !step.isFresh, let change = input.change, let rows = change.rows() else {
      return noteAll(of: input.snapshot)
    }
    for path in rows.leaving { forget(change.old.row(at: path)) }
    for path in rows.updated {
      if let path = change.map.oldPath(forNew: path) { forget(change.old.row(at: path)) }
    }
    for path in rows.entering + rows.updated { remember(change.new.row(at: path)) }
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
    if let name = rule.name(row.element) { names.insert(row.item(), for: name) }
  }

  private func forget(_ row: RowPlace) {
    if let name = rule.name(row.element) { names.remove(row.item(), for: name) }
  }
}
