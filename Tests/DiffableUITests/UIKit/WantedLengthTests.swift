import DiffableLayout
import DiffableUI
import StandInSupport
import TestScope
import Testing
import UIKit

/// A cell does not always get the length that it wants, and goes on to want it.
@Suite(.deadline) @MainActor
struct WantedLengthTests {
  private typealias Cell = CollectionViewLayoutTests.NumberCell

  @Test("Cells that share a height come to rest at that of the highest", arguments: [false, true])
  func comesToRest(sharesAll: Bool) async throws {
    let uniform = LayoutDimension.uniformAcrossSiblings(estimate: 20)
    let cell = LayoutItem(layoutSize: LayoutSize(width: .fractionalWidth(0.5), height: uniform))
    let row = LayoutGroup.horizontal(
      layoutSize: LayoutSize(
        width: .fractionalWidth(1), height: sharesAll ? uniform : .estimated(20)),
      subitems: [cell])
    let fixture = CollectionViewLayoutTests.Fixture(
      CompositionalLayout(section: LayoutSection(group: row)))
    let numbers = [1, 3, 4, 2]
    try await fixture.dataSource.apply(state(numbers))
    fixture.view.layoutIfNeeded()
    let highest = [3, 3, 4, 4].map { Cell.height(of: sharesAll ? 4 : $0) }
    #expect(numbers.map { fixture.cell(of: $0)?.frame.height } == highest)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A cell that wants a negative length has none, and is asked no more")
  func negativeLength() async throws {
    let size = LayoutSize(width: .fractionalWidth(1), height: .estimated(20))
    let fixture = CollectionViewLayoutTests.Fixture(
      CompositionalLayout(
        section: LayoutSection(
          group: .vertical(layoutSize: size, subitems: [LayoutItem(layoutSize: size)]))))
    try await fixture.dataSource.apply(state([1]))
    let layout = fixture.layout
    let path = IndexPath(item: 0, section: 0)
    let given = try #require(layout.layoutAttributesForItem(at: path))
    let wanted = UICollectionViewLayoutAttributes(forCellWith: path)
    wanted.frame = CGRect(x: 0, y: 0, width: 100, height: -5)
    func isOther() -> Bool {
      layout.shouldInvalidateLayout(
        forPreferredLayoutAttributes: wanted, withOriginalAttributes: given)
    }
    #expect(isOther())
    _ = layout.invalidationContext(
      forPreferredLayoutAttributes: wanted, withOriginalAttributes: given)
    #expect(!isOther())
    #expect(layout.layoutAttributesForItem(at: path)?.frame.height == 0)
  }
}
