import Diffable

/// The rows that a total is of.
enum TotalScope<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  case list
  case section(SectionID)
  /// All that is below an item of an outline, hidden or not.
  case descendants(ItemID)
}

/// The only section of a list that shows a total and no rows: its model is the total.
struct TotalSection<Value: Equatable & Sendable>: ModelledSection {
  typealias SectionModel = Value
}

/// What a list with a total has no row of.
struct NoRow<ID: Hashable & Sendable>: Identifiable, Equatable, Sendable {
  let id: ID
}

/// A step that shows one value of many rows.
///
/// Invariant: after a change, `column` has the rows of the scope, in their order.
final class TotalStep<
  In: Hashable & Sendable, ItemID: Hashable & Sendable, Value: Equatable & Sendable
>: ChainedStep {
  typealias Input = Snapshot<In, ItemID>
  typealias Output = Snapshot<TotalSection<Value>, ItemID>
  typealias Live = LiveState<TotalSection<Value>, ItemID>

  private var scope: TotalScope<In, ItemID>
  private let makeColumn: @Sendable () -> any AggregateColumn<Value>
  private var column: any AggregateColumn<Value>
  private(set) var beginnings = 0

  init(
    _ scope: TotalScope<In, ItemID>,
    _ makeColumn: @escaping @Sendable () -> any AggregateColumn<Value>
  ) {
    (self.scope, self.makeColumn) = (scope, makeColumn)
    column = makeColumn()
  }

  func kernels(from input: SnapshotKernels) -> SnapshotKernels {
    Output.makeKernels(models: ElementKernel(models: NoRow<ItemID>.self))
  }

  func marks(of input: StepInput<In, ItemID>) -> Output.Marks { .init() }

  func isTooLarge(_ change: InputChange<In, ItemID>) -> Bool {
    guard case .descendants = scope else { return change.rows(movingSections: true) == nil }
    return TreeStep<In, ItemID>.touchedSections(from: change.old, to: change.new) == nil
  }

  func advance(
    _ input: StepInput<In, ItemID>, _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    let new = input.snapshot
    // The first state has the row under the identifier that the user has given.
    if !isFresh, case .descendants(let item) = scope, let name = input.renames.newName(of: item) {
      scope = .descendants(name)
    }
    switch isFresh ? .unknown : input.origin {
    case .same: return nil
    case .changed(let change): if !follow(change) { begin(with: new) }
    case .unknown: begin(with: new)
    }
    let value = value(in: new)
    return try live.edit { draft, given in
      let section = TotalSection<Value>()
      if !draft.containsSection(section) { draft.insertSections([section], at: 0) }
      given.sections[section] = SectionContent(value)
    }
  }

  private func value(in state: Input) -> Value {
    guard case .descendants(let item) = scope else { return column.value }
    guard let tree = tree(in: state)?.rows, let position = tree.position(of: item) else {
      return column.value(of: 0..<0)
    }
    return column.value(of: position + 1..<tree.endOfSubtree(at: position))
  }
}

/// The rows of the scope.
extension TotalStep {
  /// The tree that has the item whose descendants count.
  private func tree(in state: Input) -> (section: Int, rows: Outline<ItemID>)? {
    guard case .descendants(let item) = scope,
      let index = state.sectionIdentifier(containingItem: item).flatMap(state.indexOfSection),
      let rows = state.outline(ofSectionAt: index)
    else { return nil }
    return (index, rows)
  }

  private func begin(with state: Input) {
    beginnings += 1
    column = makeColumn()
    let rows: [RowPlace] =
      switch scope {
      case .list: state.places()
      case .section(let section):
        state.indexOfSection(section).map { state.places(ofSectionAt: $0) } ?? []
      case .descendants: tree(in: state).map { $0.rows.places(0..<$0.rows.count) } ?? []
      }
    withExtendedLifetime(state) { column.replace(0..<0, with: rows.map(\.element)) }
  }

  /// Lets the column follow a change.
  ///
  /// - Returns: Whether it could, or to begin again.
  private func follow(_ change: InputChange<In, ItemID>) -> Bool {
    let (old, new) = (change.old, change.new)
    switch scope {
    case .list:
      return follow(
        change, movingSections: true, count: new.numberOfItems,
        oldIndex: old.index(of:), newIndex: new.index(of:), newPath: new.path(ofIndex:))
    case .section(let section):
      let places = (old.indexOfSection(section), new.indexOfSection(section))
      return follow(
        change, movingSections: false,
        count: places.1.map(new.itemCount(ofSectionAt:)) ?? 0,
        oldIndex: { $0.section == places.0 ? $0.item : nil },
        newIndex: { $0.section == places.1 ? $0.item : nil },
        newPath: { ItemPath(section: places.1 ?? 0, item: $0) })
    case .descendants: return followTree(from: old, to: new)
    }
  }

  /// - Parameters:
  ///   - oldIndex: The place of a row of the old state in the column; `nil` if it has none.
  ///   - newIndex: The same for the new state.
  ///   - newPath: The row of the new state that has a place in the column.
  /// - Complexity: O(c · log n) for c changed rows of n.
  private func follow(
    _ change: InputChange<In, ItemID>, movingSections: Bool, count: Int,
    oldIndex: (ItemPath) -> Int?, newIndex: (ItemPath) -> Int?, newPath: (Int) -> ItemPath
  ) -> Bool {
    let new = change.new
    guard let rows = change.rows(movingSections: movingSections) else { return false }
    column.follow(
      leaving: rows.leaving.compactMap(oldIndex), entering: rows.entering.compactMap(newIndex),
      updated: rows.updated.compactMap(newIndex)
    ) { new.row(at: newPath($0)).element }
    // Identifiers that break the laws of equality may be counted otherwise in the list.
    return column.count == count
  }

  /// - Complexity: O(m · log n) for m of n rows in which trees differ.
  private func followTree(from old: Input, to new: Input) -> Bool {
    let (before, after) = (tree(in: old), tree(in: new))
    guard let before, let after,
      old.section(at: before.section) == new.section(at: after.section),
      column.count == before.rows.count,
      let touched = TreeStep<In, ItemID>.touchedSections(from: old, to: new)
    else { return before == nil && after == nil }
    guard let section = touched.first(where: { $0.index == after.section }) else { return true }
    guard let change = section.change else { return false }
    change.update(column)
    return column.count == after.rows.count
  }
}

extension AggregateColumn {
  /// Lets it follow a list whose rows have left, come or changed, each at its index.
  ///
  /// - Parameters:
  ///   - leaving: Indices before the change. The others are those after it.
  ///   - element: What the list shows at an index.
  /// - Complexity: O(c · log n) for c changed rows of n.
  func follow(
    leaving: [Int], entering: [Int], updated: [Int], _ element: (Int) -> UnsafeRawPointer
  ) {
    // Identifiers that break the laws of equality may be counted otherwise in the list.
    for run in leaving.runs.reversed() { replace(run.clamped(to: 0..<count), with: []) }
    for run in entering.runs {
      let place = Swift.min(run.lowerBound, count)
      replace(place..<place, with: run.map(element))
    }
    for index in updated where index < count { replace(index..<index + 1, with: [element(index)]) }
  }
}
