import Diffable
import DiffableUI
import DiffableViews
import TestScope
import Testing
import UIKit

@Suite(.deadline) @MainActor
struct ReorderingTests {
  private func drag(_ item: Int, to row: Int, in fixture: CollectionViewFixture) -> Bool {
    guard fixture.view.beginInteractiveMovementForItem(at: IndexPath(item: item, section: 0)) else {
      return false
    }
    fixture.view.updateInteractiveMovementTargetPosition(CGPoint(x: 5, y: CGFloat(row) * 20 + 5))
    fixture.view.endInteractiveMovement()
    return true
  }

  @Test("A drop moves the item at once, and in the source after that")
  func drop() async throws {
    let fixture = CollectionViewFixture()
    let dataSource = fixture.makeDataSource()
    try await dataSource.apply(state([1, 2, 3, 4]))
    #expect(!drag(0, to: 2, in: fixture))
    let transaction = await withCheckedContinuation { done in
      dataSource.reorderingHandlers.didReorder = { done.resume(returning: $0) }
      dataSource.reorderingHandlers.canReorderItem = { $0 != 4 }
      #expect(!drag(3, to: 0, in: fixture))
      #expect(drag(0, to: 2, in: fixture))
      #expect(fixture.numbers == [2, 3, 1, 4])
      #expect(dataSource.itemIdentifier(for: IndexPath(item: 2, section: 0)) == 1)
    }
    #expect(transaction.finalSnapshot.itemIdentifiers == [2, 3, 1, 4])
    #expect(dataSource.snapshot().itemIdentifiers == [2, 3, 1, 4])
    // The list goes on following the source.
    try await dataSource.apply(state([3, 1, 4, 5]))
    #expect(fixture.numbers == [3, 1, 4, 5])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("Whenever the source refuses a drop, it goes back with the reason", arguments: 1...3)
  func vetoes(question: Int) async throws {
    let fixture = CollectionViewFixture()
    let questions = Lock(0)
    // It is asked whether the item may be dragged, then about its place, and again at the drop.
    let source = DataSourceActor<Int, Int>(
      reordering: ReorderingHandlers(canReorder: { _, _, _ in
        questions.withLock { count in
          count += 1
          return count != question
        }
      }))
    let dataSource = fixture.makeDataSource(source: source)
    try await dataSource.apply(state([1, 2, 3]))
    var refusals: [ReorderRefusal] = []
    dataSource.reorderingHandlers.canReorderItem = { _ in true }
    dataSource.reorderingHandlers.didRefuse = { refusals.append($0) }
    dataSource.reorderingHandlers.didReorder = { _ in Issue.record("It was refused") }
    #expect(drag(0, to: 2, in: fixture))
    #expect(fixture.numbers == [2, 3, 1])
    try await wait { fixture.numbers == [1, 2, 3] && !refusals.isEmpty }
    #expect(refusals == [.vetoed])
    #expect(dataSource.snapshot().itemIdentifiers == [1, 2, 3])
    // The list goes on following the source.
    try await dataSource.apply(state([1, 2, 3, 4]))
    #expect(fixture.numbers == [1, 2, 3, 4])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }
}
