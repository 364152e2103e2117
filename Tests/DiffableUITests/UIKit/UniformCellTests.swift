import DiffableLayout
import DiffableUI
import StandInSupport
import TestScope
import Testing
import UIKit

/// A cell of a uniform length has that of its longest sibling, and goes on to want its own.
@Suite(.deadline) @MainActor
struct UniformCellTests {
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
}
