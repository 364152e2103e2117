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
    let fixture = try await fixtureOfOneCell()
    #expect(try isOther(height: -5, in: fixture.layout))
    _ = fixture.layout.invalidationContext(
      forPreferredLayoutAttributes: wanted(height: -5),
      withOriginalAttributes: try given(in: fixture.layout))
    #expect(try !isOther(height: -5, in: fixture.layout))
    #expect(try given(in: fixture.layout).frame.height == 0)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A cell that wants a length without end, or one that is no number, keeps what it has")
  func noLength() async throws {
    let fixture = try await fixtureOfOneCell()
    var errors: [LayoutError] = []
    fixture.layout.errorHandler = { errors.append($0) }
    #expect(try !isOther(height: .infinity, in: fixture.layout))
    #expect(try !isOther(height: .nan, in: fixture.layout))
    #expect(errors.map(\.code) == ["notFinite", "notFinite"])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  private let path = IndexPath(item: 0, section: 0)

  /// A view with one cell, which chooses its height.
  private func fixtureOfOneCell() async throws -> CollectionViewLayoutTests.Fixture {
    let size = LayoutSize(width: .fractionalWidth(1), height: .estimated(20))
    let fixture = CollectionViewLayoutTests.Fixture(
      CompositionalLayout(
        section: LayoutSection(
          group: .vertical(layoutSize: size, subitems: [LayoutItem(layoutSize: size)]))))
    try await fixture.dataSource.apply(state([1]))
    return fixture
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
