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
    let fixture = fixture()
    try await fixture.dataSource.apply(state([1]))
    #expect(try isOther(height: -5, in: fixture.layout))
    _ = fixture.layout.invalidationContext(
      forPreferredLayoutAttributes: wanted(height: -5),
      withOriginalAttributes: try given(in: fixture.layout))
    #expect(try !isOther(height: -5, in: fixture.layout))
    #expect(try given(in: fixture.layout).frame.height == 0)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A cell that wants a height without end keeps the estimate, and the layout comes to rest")
  func endlessCell() async throws {
    let fixture = fixture()
    var errors: [LayoutError] = []
    fixture.layout.errorHandler = { errors.append($0) }
    try await fixture.dataSource.apply(state([1, Cell.endless, 2]))
    fixture.view.layoutIfNeeded()
    #expect(fixture.cell(of: Cell.endless)?.frame.height == 20)
    #expect(fixture.cell(of: 2)?.frame.height == Cell.height(of: 2))
    #expect(errors.first?.code == "notFinite")
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A cell that wants a height that is not a number keeps the one that it has")
  func noNumber() async throws {
    let fixture = fixture()
    try await fixture.dataSource.apply(state([1]))
    var errors: [LayoutError] = []
    fixture.layout.errorHandler = { errors.append($0) }
    #expect(try !isOther(height: .nan, in: fixture.layout))
    #expect(errors.map(\.code) == ["notFinite"])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  private let path = IndexPath(item: 0, section: 0)

  /// A view with a list of cells, which choose their heights.
  private func fixture() -> CollectionViewLayoutTests.Fixture {
    CollectionViewLayoutTests.Fixture(
      CompositionalLayout(section: CollectionViewLayoutTests.rows(height: .estimated(20))))
  }

  private func given(
    in layout: DiffableCollectionViewLayout
  ) throws -> UICollectionViewLayoutAttributes {
    try #require(layout.layoutAttributesForItem(at: path))
  }

  private func wanted(height: CGFloat) -> UICollectionViewLayoutAttributes {
    let wanted = UICollectionViewLayoutAttributes(forCellWith: path)
    wanted.frame = CGRect(x: 0, y: 0, width: 100, height: height)
    return wanted
  }

  /// Whether the layout takes a height for another one than the cell has.
  private func isOther(
    height: CGFloat, in layout: DiffableCollectionViewLayout
  ) throws -> Bool {
    layout.shouldInvalidateLayout(
      forPreferredLayoutAttributes: wanted(height: height),
      withOriginalAttributes: try given(in: layout))
  }
}
