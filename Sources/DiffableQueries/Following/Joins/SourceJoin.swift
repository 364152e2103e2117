import Diffable

/// A list whose rows show something of another list, or are shown or hidden by what that list has, before
/// a query.
///
/// A row keeps its identifier and its place. When the other list changes, the rows that name what has
/// changed there are looked at again, and no others.
final class SourceJoin<
  In: Hashable & Sendable, SectionID: Hashable & Sendable, ItemID: Hashable & Sendable,
  Partners: JoinPartners
>: SourceFront {
  /// Which rows have a name.
  enum Naming {
    /// It is known elsewhere, for each name.
    case known((Partners.Name, _ body: (ItemID) -> Void) -> Void)
    /// It is kept here, by the name of each row.
    case kept(@Sendable (UnsafeRawPointer) -> Partners.Name?)
  }

  /// What is made of a row, given the state in which partners are looked up.
  enum Rule {
    /// Whether it is shown.
    case test(@Sendable (Partners.State) -> RowTest)
    /// What is shown for it; with a state without partners, and the kernels of the rows.
    case map(@Sendable (Partners.State) -> RowMap, Partners.State, SnapshotKernels)
  }

  let operation: String?
  private let naming: Naming
  private let rule: Rule
  private let partners: Partners
  private let step: QueryStep<In, SectionID, ItemID>
  private var front: QueryPart<In, SectionID, ItemID>
  private var base: Snapshot<In, ItemID>?
  /// The rows that have each name, whether there are partners or not.
  private var names = IdentifierRelation<Partners.Name, ItemID>()
  var beginnings: Int { step.beginnings }

  /// - Parameter rules: What else is done with the rows.
  init(
    _ operation: String?, _ naming: Naming, _ rule: Rule, _ rules: StepRules<In, SectionID, ItemID>,
    _ partners: Partners
  ) {
    (self.operation, self.naming, self.rule) = (operation, naming, rule)
    self.partners = partners
    var rules = rules
    if case .map(let map, let state, let kernels) = rule { rules.map = (map(state), kernels) }
    step = QueryStep(rules)
    front = QueryPart(step)
  }

  func advance<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    guard index == 0 else { return try look(into: input) }
    let input = input.typed(as: In.self, ItemID.self)
    base = input.snapshot
    guard partners.state != nil else { return nil }
    note(input)
    return try front.advance(input)
  }

  var present: StepInput<SectionID, ItemID>? { front.present }

  /// The last result; `nil` before there is one.
  var state: Snapshot<SectionID, ItemID>? { front.state }

  /// Updates rows after a change of what they name.
  ///
  /// - Parameter limit: The number of changed rows up to which they are followed; by default, it
  ///   depends on the number of rows of this list.
  func look<Section, Item>(
    into input: StepInput<Section, Item>, atMost limit: Int? = nil
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    let limit = limit ?? InputChange<In, ItemID>.limit(among: base?.numberOfItems ?? 0)
    let changed = try partners.follow(input, atMost: limit)
    guard let state = partners.state else { return nil }
    switch rule {
    case .test(let test): step.test = test(state)
    case .map(let map, _, _): step.map = map(state)
    }
    guard let base else { return nil }
    guard !step.isFresh, let changed else {
      noteAll(of: base)
      return try front.advance(StepInput(base, .unknown))
    }
    var renewed = IdentifierSet<ItemID>()
    for name in changed {
      switch naming {
      case .known(let forEachRow): forEachRow(name) { renewed.insert($0) }
      case .kept: for item in names[name] { renewed.insert(item) }
      }
    }
    let paths = renewed.inOrder.compactMap(base.itemPath(for:))
    guard !paths.isEmpty else { return nil }
    step.renewed = renewed
    defer { step.renewed = IdentifierSet() }
    return try front.advance(StepInput(base, reconfiguring: paths))
  }

  /// Records which rows name which others.
  private func note(_ input: StepInput<In, ItemID>) {
    guard case .kept = naming else { return }
    guard !step.isFresh, let change = input.change, let rows = change.rows() else {
      return noteAll(of: input.snapshot)
    }
    for path in rows.leaving { forget(change.old.row(at: path)) }
    for path in rows.updated {
      if let path = change.map.oldPath(forNew: path) { forget(change.old.row(at: path)) }
    }
    for path in rows.entering + rows.updated { remember(change.new.row(at: path)) }
  }

  private func noteAll(of state: Snapshot<In, ItemID>) {
    guard case .kept = naming else { return }
    names = IdentifierRelation()
    withExtendedLifetime(state) { state.places().forEach(remember) }
  }

  private func name(of row: RowPlace) -> Partners.Name? {
    if case .kept(let name) = naming { name(row.element) } else { nil }
  }

  private func remember(_ row: RowPlace) {
    if let name = name(of: row) { names.insert(row.item(), for: name) }
  }

  private func forget(_ row: RowPlace) {
    if let name = name(of: row) { names.remove(row.item(), for: name) }
  }
}
