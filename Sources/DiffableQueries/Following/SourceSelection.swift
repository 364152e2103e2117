import Diffable

/// The rows of a list that another list shows, or does not show, before a query.
///
/// It is a filter whose condition is a state of the other list. When that list changes, the rows that it shows now
/// or no longer shows are tested again, and no others.
final class SourceSelection<
  SectionID: Hashable & Sendable, OtherSectionID: Hashable & Sendable, ItemID: Hashable & Sendable
>: LookingUpFront {
  typealias Base = Snapshot<SectionID, ItemID>
  typealias Other = Snapshot<OtherSectionID, ItemID>

  let operation: StepIdentity.Kind?
  /// Keeps rows of the base, given a state of the other list.
  private let test: @Sendable (Other) -> RowTest
  private let step: QueryStep<SectionID, SectionID, ItemID>
  private var front: QueryPart<SectionID, SectionID, ItemID>
  private var base: Base?
  var unconfirmedItems: Set<ItemID> = []

  /// - Parameter element: The type of what the base shows for a row.
  init(
    _ operation: StepIdentity.Kind, element: any Any.Type,
    _ test: @escaping @Sendable (Other) -> RowTest
  ) {
    (self.operation, self.test) = (operation, test)
    step = QueryStep(StepRules(element: element, sections: .same(SameSections())))
    front = QueryPart(step)
  }

  var beginnings: Int { step.beginnings }

  func advance<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    guard index == 0 else {
      return try select(by: input.typed(as: OtherSectionID.self, ItemID.self))
    }
    let input = input.typed(as: SectionID.self, ItemID.self)
    base = input.snapshot
    // Without a test, there is no state of the other list yet.
    guard step.test != nil else { return nil }
    return try front.advance(input)
  }

  var present: StepInput<SectionID, ItemID>? { front.present }

  /// Lets rows come and go after a change of the other list.
  ///
  /// - Complexity: O(c · log n) for c rows that come or go there, and n rows of the base.
  private func select(
    by input: StepInput<OtherSectionID, ItemID>
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    step.test = test(input.snapshot)
    guard let base else { return nil }
    let limit = InputChange<SectionID, ItemID>.limit(among: base.numberOfItems)
    guard !step.isFresh, let items = Self.changed(input, atMost: limit) else {
      return try front.advance(StepInput(base, .unknown))
    }
    let paths = items.compactMap(base.itemPath(for:))
    guard !paths.isEmpty else { return nil }
    return try front.advance(StepInput(base, reconfiguring: paths))
  }

  /// The rows that the other list shows now or no longer shows; `nil` if these are unknown or too many.
  private static func changed(
    _ input: StepInput<OtherSectionID, ItemID>, atMost limit: Int
  ) -> [ItemID]? {
    guard let change = input.change, let rows = change.rows(atMost: limit) else { return nil }
    return change.comingOrGoing(rows)
  }
}
