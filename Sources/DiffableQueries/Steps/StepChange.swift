import Diffable

/// The effect of a change of the input on the result of a step.
///
/// Everything is looked up in states that do not change: the two inputs, and the last result of the
/// step. That result was in order by the elements of the old input. So a binary search in it is
/// sound, even among rows that are about to leave.
struct StepChange<
  In: Hashable & Sendable, Out: Hashable & Sendable, ItemID: Hashable & Sendable
> {
  typealias Input = Snapshot<In, ItemID>
  typealias Output = Snapshot<Out, ItemID>

  let step: QueryStep<In, Out, ItemID>
  let input: InputChange<In, ItemID>
  /// Rows that have expired.
  let due: [ItemID]
  /// The result of the step for the old input.
  let output: Output
  /// The ranks of the rows, if these decide about rows that the order does not distinguish.
  let ranks: InputChange<SingleSection, ItemID>?
  /// Rows that are left out since another row with the same key is before them.
  var repeated = IdentifierSet<ItemID>()

  var old: Input { input.old }
  var new: Input { input.new }
  var difference: SnapshotDifference { input.difference }
  var map: PositionMap { input.map }
  var rules: StepRules<In, Out, ItemID> { step.rules }
  /// Whether rows are grouped into sections by a key.
  var isKeyed: Bool { if case .keyed = rules.sections { true } else { false } }
  /// The state that is merged with the input, and has not changed.
  var other: OtherInput<In, ItemID>? { step.other }

  /// What to change, or `nil` if computing the step from scratch costs less.
  ///
  /// - Complexity: O(c · log² n) for c changed rows of n.
  mutating func plan() -> StepPlan<Out, ItemID>? {
    let limit = input.limit
    // If a section moves, another of several rows may be the first.
    let movingSections = isKeyed || step.distinction != nil
    guard due.count <= limit, var rows = input.rows(atMost: limit, movingSections: movingSections)
    else { return nil }
    if let distinction = step.distinction { addRepeated(distinction, to: &rows) }
    if let ranks, !addRanked(ranks, to: &rows, atMost: limit) { return nil }
    if let window = rules.window { rows = inWindow(window, rows) }
    var plan = StepPlan<Out, ItemID>()
    if let tree = rules.tree {
      planTrees(rows, tree, &plan)
    } else {
      planRows(rows, &plan)
    }
    planSections(&plan)
    return plan
  }

  private func planRows(_ rows: ChangedRows, _ plan: inout StepPlan<Out, ItemID>) {
    var arrivals: [Arrival] = []
    for path in rows.leaving { leave(path, &plan, &arrivals) }
    for path in rows.entering { enter(path, &plan, &arrivals) }
    for path in rows.updated where isOurs(new.row(at: path)) { update(path, &plan, &arrivals) }
    planExpiry(&plan)
    // Identifiers that break the laws of equality may lead to one place twice.
    for (section, items) in plan.removals where items.count > 1 {
      plan.removals[section] = Set(items).sorted()
    }
    plan.insertions = insertions(arrivals)
    transform(&plan)
  }

  func keeps(_ row: RowPlace) -> Bool {
    if let test = step.test { return test.keeps(row) }
    return repeated.isEmpty || !repeated.contains(row.item())
  }

  /// Whether a row of this input is shown, and not the same row of the other input.
  private func isOurs(_ row: RowPlace) -> Bool {
    guard let other, other.isFirst else { return true }
    return other.snapshot.itemPath(for: row.item(as: ItemID.self)) == nil
  }

  /// Plans for a row that leaves its place in the input.
  private func leave(
    _ path: ItemPath, _ plan: inout StepPlan<Out, ItemID>, _ arrivals: inout [Arrival]
  ) {
    let row = old.row(at: path)
    let item = row.item(as: ItemID.self)
    guard isOurs(row), let place = output.itemPath(for: item) else { return }
    plan.removals[place.section, default: []].append(place.item)
    // The same row of the other input is shown now.
    if let other, let path = other.snapshot.itemPath(for: item), new.itemPath(for: item) == nil {
      arrivals.append(arrival(at: path, ofOther: other.snapshot))
    }
  }

  /// Plans for a row that arrives at a place in the input.
  private func enter(
    _ path: ItemPath, _ plan: inout StepPlan<Out, ItemID>, _ arrivals: inout [Arrival]
  ) {
    let row = new.row(at: path)
    guard keeps(row), isOurs(row) else { return }
    let item = row.item(as: ItemID.self)
    // The same row of the other input is no longer shown.
    if let other, other.snapshot.itemPath(for: item) != nil, old.itemPath(for: item) == nil,
      let place = output.itemPath(for: item)
    {
      plan.removals[place.section, default: []].append(place.item)
    }
    arrivals.append(arrival(at: path))
  }

  /// Plans for a row that stays in the input: it may enter, leave, move, or show something else.
  private func update(
    _ path: ItemPath, _ plan: inout StepPlan<Out, ItemID>, _ arrivals: inout [Arrival]
  ) {
    let row = new.row(at: path)
    let place = output.itemPath(for: row.item(as: ItemID.self))
    let arrival = keeps(row) ? arrival(at: path) : nil
    if let place, let arrival, output.section(at: place.section) == arrival.section,
      !isOutOfOrder(row, path)
    {
      return plan.updates.append(row)
    }
    if let place { plan.removals[place.section, default: []].append(place.item) }
    if let arrival { arrivals.append(arrival) }
  }

  /// Whether the order distinguishes the new element of a row from its old one.
  private func isOutOfOrder(_ row: RowPlace, _ path: ItemPath) -> Bool {
    guard let order = rules.order else { return false }
    guard let oldPath = map.oldPath(forNew: path) else { return true }
    return old.withRow(at: oldPath) { order.verdict($0.element, row.element) != nil }
  }
}

/// The rows that a window has to check.
extension StepChange {
  /// The rows that enter and leave a window.
  ///
  /// Staying rows of staying sections keep their order, and so do those of each section that moves.
  /// Such rows that are in both the old and the new window are adjacent in both, if all others are
  /// left out. Rows before the first and after the last of these have arrived or left.
  ///
  /// - Complexity: O((c + d + m) · log n) for c changed rows of n, d rows that enter or leave the
  ///   window although they stay in the list, and m sections that move.
  func inWindow(_ window: RowWindow, _ rows: ChangedRows) -> ChangedRows {
    var rows = rows
    let leaving = Set(rows.leaving)
    var gone = leaving
    var come = Set(rows.entering)
    let oldWindow = window.indices(among: old.numberOfItems)
    let newWindow = window.indices(among: new.numberOfItems)
    /// Whether a row of the old window stays in the new one.
    func stays(_ path: ItemPath) -> Bool {
      guard !leaving.contains(path), let newPath = map.newPath(forOld: path) else { return false }
      return newWindow.contains(new.index(of: newPath))
    }
    /// Whether a row of the new window was in the old one and has not moved.
    func stayed(_ path: ItemPath) -> Bool {
      guard let oldPath = map.oldPath(forNew: path), !leaving.contains(oldPath) else {
        return false
      }
      return oldWindow.contains(old.index(of: oldPath))
    }
    forEachAtEnds(of: oldWindow, old, moved: difference.sectionMoves.map(\.from)) { path in
      guard !stays(path) else { return false }
      if gone.insert(path).inserted { rows.leaving.append(path) }
      return true
    }
    rows.entering.removeAll { !newWindow.contains(new.index(of: $0)) }
    forEachAtEnds(of: newWindow, new, moved: difference.sectionMoves.map(\.to)) { path in
      guard !stayed(path) else { return false }
      if come.insert(path).inserted { rows.entering.append(path) }
      return true
    }
    let entering = Set(rows.entering)
    rows.updated.removeAll {
      entering.contains($0) || !newWindow.contains(new.index(of: $0))
    }
    return rows
  }

  /// Calls a function with the rows at both ends of a window: the staying sections' and each moved
  /// section's.
  ///
  /// Each pass goes inwards from an end, and ends when the function returns `false`.
  private func forEachAtEnds(
    of window: Range<Int>, _ state: Input, moved: [Int], _ body: (ItemPath) -> Bool
  ) {
    func check(_ ranges: some BidirectionalCollection<Range<Int>>) {
      let indices = ranges.joined()
      _ = indices.first { !body(state.path(ofIndex: $0)) }
      _ = indices.last { !body(state.path(ofIndex: $0)) }
    }
    var staying = RangeSet(window)
    for section in moved {
      let start = state.index(of: ItemPath(section: section, item: 0))
      let rows = (start..<start + state.itemCount(ofSectionAt: section)).clamped(to: window)
      staying.remove(contentsOf: rows)
      check(CollectionOfOne(rows))
    }
    check(staying.ranges)
  }
}

extension Snapshot {
  /// The index of a path in the flat list over all sections.
  ///
  /// - Complexity: O(log s) for s sections.
  func index(of path: ItemPath) -> Int { order.totals(before: path.section).items + path.item }

  /// The path of an index in the flat list over all sections, which must exist.
  ///
  /// - Complexity: O(log² s) for s sections.
  func path(ofIndex index: Int) -> ItemPath {
    let next = (1..<numberOfSections).partitioningIndex { order.totals(before: $0).items > index }
    return ItemPath(section: next - 1, item: index - order.totals(before: next - 1).items)
  }
}
