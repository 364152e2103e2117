import Diffable
import DiffableTesting
import StandInSupport
import Testing
import UIKit

/// The views that stand in for Apple's raise what is wrong, or else the other tests say nothing.
@Suite @MainActor
struct StandInTests {
  /// A data source that answers what it is told.
  final class Rows: NSObject, UICollectionViewDataSource {
    var counts: [Int]
    var dequeues = 1

    init(_ counts: [Int]) { self.counts = counts }

    func numberOfSections(in collectionView: UICollectionView) -> Int { counts.count }

    func collectionView(
      _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int { counts[section] }

    func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      for _ in 1..<dequeues {
        _ = collectionView.dequeueReusableCell(withReuseIdentifier: "row", for: indexPath)
      }
      return collectionView.dequeueReusableCell(withReuseIdentifier: "row", for: indexPath)
    }
  }

  let fixture = CollectionViewFixture()

  private func show(_ rows: Rows) -> UICollectionView {
    fixture.view.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "row")
    fixture.view.dataSource = rows
    fixture.view.layoutIfNeeded()
    return fixture.view
  }

  @Test("A right update raises nothing")
  func rightUpdate() {
    let rows = Rows([2, 1])
    let view = show(rows)
    view.performBatchUpdates {
      rows.counts = [3, 1, 4]
      view.insertItems(at: [IndexPath(item: 0, section: 0)])
      view.insertSections(IndexSet(integer: 2))
    }
    #expect(fixture.exceptions.isEmpty)
    #expect(view.visibleCells.count == 8)
  }

  @Test("An update whose counts do not add up is raised in UIKit's words")
  func counts() {
    let rows = Rows([2])
    let view = show(rows)
    view.performBatchUpdates {
      rows.counts = [4]
      view.insertItems(at: [IndexPath(item: 0, section: 0)])
    }
    #expect(fixture.exceptions.map(\.rule) == [.c6])
    #expect(
      fixture.exceptions.first?.reason.hasPrefix(
        "Invalid update: invalid number of items in section 0.") == true)
    view.performBatchUpdates { rows.counts = [4, 1] }
    #expect(fixture.exceptions.last?.rule == .c4)
    #expect(
      fixture.exceptions.last?.reason.contains("after the update (2)") == true,
      "\(fixture.exceptions)")
  }

  @Test("Paths that do not exist, data that changes too early, and calls that collide are raised")
  func brokenRules() {
    let rows = Rows([2, 2])
    let view = show(rows)
    view.deleteItems(at: [IndexPath(item: 7, section: 0)])
    #expect(fixture.exceptions.map(\.rule).contains(.c1))
    rows.counts = [3, 2]
    view.performBatchUpdates { view.insertItems(at: [IndexPath(item: 0, section: 0)]) }
    #expect(fixture.exceptions.map(\.rule).contains(.c8))
    view.performBatchUpdates {
      view.moveSection(0, toSection: 1)
      view.reloadItems(at: [IndexPath(item: 0, section: 0)])
    }
    #expect(fixture.exceptions.map(\.rule).contains(.s3))
    #expect(fixture.exceptions.map(\.rule).contains(.s4))
    view.show(in: nil)
    view.reloadItems(at: [IndexPath(item: 0, section: 0)])
    #expect(fixture.exceptions.last?.rule == .s8)
  }

  @Test("A cell that was not dequeued for its path, or not alone, is raised")
  func dequeuing() {
    let rows = Rows([1])
    rows.dequeues = 2
    let view = show(rows)
    #expect(fixture.exceptions.count == 1)
    _ = view.dequeueReusableCell(withReuseIdentifier: "row", for: IndexPath(item: 0, section: 0))
    #expect(fixture.exceptions.count == 2)
  }
}
