import Diffable

/// One step of a query: filters, sorts, groups and maps rows, in this order.
///
/// It keeps no rows: to find a row in its output, it searches the state that it made last.
final class QueryStep<
  In: Hashable & Sendable, Out: Hashable & Sendable, ItemID: Hashable & Sendable
>: ChainedStep {
  typealias Input = Snapshot<In, ItemID>
  typealias Output = Snapshot<Out, ItemID>
  typealias Live = LiveState<Out, ItemID>

  let rules: StepRules<In, Out, ItemID>
  /// The models of sections, if they follow from the rows.
  let summaries: SectionSummaries<Out>?
  /// The state that is merged with the input, if any.
  var other: OtherInput<In, ItemID>?
  private(set) var beginnings = 0
  /// The rows of trees that name a parent outside their section, by that parent.
  var orphans = IdentifierRelation<ItemID, ItemID>()
  /// Whether some rows of trees named each other in a circle.
  var hasCircles = false
  /// The filter, at the time of this change.
  var test: RowTest?
  var deadlines = Deadlines<ItemID>()
  /// Finds the rows with equal keys, if only the first of them is kept.
  let distinction: RowDistinction<ItemID>?
  /// The transformation of each row.
  var map: RowMap?
  /// Rows that the map now shows differently although they are the same.
  var renewed = IdentifierSet<ItemID>()

  init(_ rules: StepRules<In, Out, ItemID>) {
    self.rules = rules
    summaries = rules.makeSummaries?()
    distinction = rules.makeDistinction?()
    (test, map) = (rules.test, rules.map?.rows)
  }

  func kernels(from input: SnapshotKernels) -> SnapshotKernels {
    if let map = rules.map { return map.kernels }
    if case .keyed(_, let kernels) = rules.sections { return kernels }
    return input
  }

  func advance(
    _ input: StepInput<In, ItemID>, _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    let kernels = input.snapshot.kernels
    precondition(
      (kernels.models ?? kernels.items).type == rules.element, "elements of another type")
    // Another step made the live state, so it tells nothing about the result of this one.
    var origin = isFresh ? .unknown : input.origin
    let due = tick()
    if case .same = origin, !due.isEmpty || rules.isRanked && input.ranks?.isSame == false {
      origin = .changed(InputChange(of: input.snapshot))
    }
    switch origin {
    case .same:
      guard rules.tree != nil, !input.expansion.news.isEmpty else { return nil }
      return try live.edit { draft, _ in draft.tell(input.expansion) }
    case .changed(let change) where !hasCircles:
      if let plan = plan(change, input.ranks, live.snapshot, due) {
        do throws(SnapshotError) {
          return try carryOut(plan, from: change.old, to: input, &live)
        } catch {
          // Only during the change it is found that rows of a tree name each other in a circle.
          guard case .cyclicMove = error else { throw error }
        }
      }
    default: break
    }
    beginnings += 1
    deadlines = Deadlines()
    var (snapshot, given) = evaluate(input, reusing: origin, live.snapshot)
    snapshot.take(marks(of: input))
    return try live.apply(
      snapshot, given, duplicates: .reject, keepingOutlines: false,
      isComplete: rules.tree == nil)
  }

  /// The effect of a change of the input.
  ///
  /// What it reads is released when it returns. Otherwise the table of the live state would have
  /// two holders while it is edited.
  @inline(never) private func plan(
    _ input: InputChange<In, ItemID>, _ ranks: RowRanks<ItemID>?, _ output: Output,
    _ due: [ItemID]
  ) -> StepPlan<Out, ItemID>? {
    let ranks = rules.isRanked ? ranks?.change : nil
    guard !rules.isRanked || ranks != nil else { return nil }
    var change = StepChange(step: self, input: input, due: due, output: output, ranks: ranks)
    return change.plan()
  }

  func rivals(of item: ItemID) -> [ItemID] { distinction?.rivals(of: item) ?? [] }

  func treeElement<Element>(
    of item: ItemID, in output: Output, as type: Element.Type
  ) -> Element? {
    guard rules.tree?.unloaded != nil else { return nil }
    guard output.kernels.models == nil else { return output.model(of: item, as: type) }
    return output.containsItem(item) ? item as? Element : nil
  }

  /// The input, and what is merged with it, in their order.
  func inputs(_ input: Input) -> [Input] {
    guard let other else { return [input] }
    return other.isFirst ? [other.snapshot, input] : [input, other.snapshot]
  }
}

/// Placing rows in the live state.
extension QueryStep {
  /// Inserts rows of one section, last to first, so that earlier gaps stay as they are.
  ///
  /// - Parameters:
  ///   - removed: The rows that have left the section, to which the gaps refer.
  ///   - hasModels: Whether each item has its model; set to `false` if inserted rows have none.
  func insert(
    _ insertions: StepPlan<Out, ItemID>.Insertions, _ removed: [Int], _ input: Input,
    _ hasModels: inout Bool, into draft: inout Output
  ) {
    let section = insertions.section
    if draft.indexOfSection(section) == nil {
      place([section], input, &draft)
    }
    guard let index = draft.indexOfSection(section) else { return }
    let rows = insertions.rows
    var end = rows.endIndex
    while end > 0 {
      let gap = rows[end - 1].gap
      let start = rows[..<end].lastIndex { $0.gap != gap }.map { $0 + 1 } ?? 0
      let place = gap - removed.partitioningIndex { $0 >= gap }
      let adjacent = rows[start..<end]
      summaries?.replace(place..<place, of: section, with: adjacent.map { $0.row.element })
      let items = HashedElements(draft.kernels.items, gathering: adjacent.map { $0.row.item })
      let places = adjacent.compactMap { $0.model }
      var models: HashedElements?
      if hasModels, let kernel = draft.kernels.models, places.count == adjacent.count {
        models = HashedElements(kernel, gathering: places)
      }
      draft.insert(
        items, models, at: ItemPath(section: index, item: place), keepingModels: &hasModels)
      end = start
    }
  }
}
