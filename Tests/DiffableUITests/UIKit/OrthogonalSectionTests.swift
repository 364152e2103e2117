import Diffable
import DiffableLayout
import DiffableUI
import StandInSupport
import TestScope
import Testing
import UIKit

@Suite @MainActor
struct OrthogonalSectionTests {
  typealias Fixture = CollectionViewLayoutTests.Fixture

  /// Groups of 60 by 40 points, one after the other.
  private static func banner(_ behavior: OrthogonalScrollingBehavior) -> LayoutSection {
    let whole = LayoutItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)))
    var banner = LayoutSection(
      group: .horizontal(
        layoutSize: LayoutSize(width: .absolute(60), height: .absolute(40)), subitems: [whole]))
    banner.orthogonalScrollingBehavior = behavior
    return banner
  }

  @Test("An orthogonal section is scrolled by its offset, and comes to rest at a group")
  func orthogonal() async throws {
    let banner = Self.banner(.groupPaging)
    let fixture = Fixture(CompositionalLayout(sections: [banner, banner, banner]))
    try await fixture.dataSource.apply(state(Array(0..<10), [20, 21]))
    #expect(fixture.cell(of: 1)?.frame.origin == CGPoint(x: 60, y: 0))
    #expect(fixture.layout.orthogonalSection(at: CGPoint(x: 10, y: 10)) == 0)
    #expect(fixture.layout.orthogonalSection(at: CGPoint(x: 10, y: 90)) == nil)

    fixture.layout.scrollSection(0, to: 70)
    fixture.view.layoutIfNeeded()
    #expect(fixture.cell(of: 1)?.frame.origin == CGPoint(x: -10, y: 0))
    #expect(fixture.cell(of: 0) == nil)
    #expect(fixture.cell(of: 20)?.frame.origin == CGPoint(x: 0, y: 40))

    fixture.layout.endScrolling(ofSection: 0, velocity: 0, draggedFrom: 0)
    fixture.view.layoutIfNeeded()
    #expect(fixture.layout.offset(ofSection: 0) == 60)
    #expect(fixture.cell(of: 1)?.frame.origin == CGPoint(x: 0, y: 0))

    // The offset stays with its section.
    var moved = fixture.dataSource.snapshot()
    moved.insertSectionForTest(99)
    try await fixture.dataSource.apply(moved)
    #expect(fixture.layout.offset(ofSection: 1) == 60)
    fixture.layout.scrollSection(1, to: 1e9)
    #expect(fixture.layout.offset(ofSection: 1) <= 600)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A section whose groups come to rest in the middle is scrolled to its first and last one")
  func centred() async throws {
    let fixture = Fixture(CompositionalLayout(section: Self.banner(.groupPagingCentered)))
    try await fixture.dataSource.apply(state(Array(0..<10)))
    #expect(fixture.layout.offset(ofSection: 0) == -20)
    for (wanted, offset) in [(-500.0, -20.0), (100, 100), (1e9, 520)] {
      fixture.layout.scrollSection(0, to: wanted)
      #expect(Double(fixture.layout.offset(ofSection: 0)) == offset)
    }
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test(
    "Every view is where a query of a rectangle finds it, scrolled or not, visible or not",
    arguments: OrthogonalScrollingBehavior.allCases)
  func places(_ behavior: OrthogonalScrollingBehavior) async throws {
    var banner = Self.banner(behavior)
    banner.boundarySupplementaryItems = [
      LayoutBoundarySupplementaryItem(
        layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(10)),
        elementKind: "title", alignment: .top)
    ]
    banner.boundarySupplementaryItems[0].pinToVisibleBounds = true
    let fixture = Fixture(CompositionalLayout(sections: [banner, banner]))
    try await fixture.dataSource.apply(state(Array(0..<10), Array(20..<30)))
    for offset in [nil, 0, 33, -500, 1e9, 40] as [CGFloat?] {
      if let offset { fixture.layout.scrollSection(0, to: offset) }
      fixture.view.layoutIfNeeded()
      let all = try #require(
        fixture.layout.layoutAttributesForElements(
          in: CGRect(x: -2000, y: -2000, width: 4000, height: 4000)))
      #expect(all.count { $0.representedElementCategory == .cell } > 2)
      for attributes in all {
        let path = attributes.indexPath
        let one =
          attributes.representedElementKind.map {
            fixture.layout.layoutAttributesForSupplementaryView(ofKind: $0, at: path)
          } ?? fixture.layout.layoutAttributesForItem(at: path)
        #expect(one?.frame == attributes.frame, "\(path) at \(String(describing: offset))")
      }
      for path in fixture.view.indexPathsForVisibleItems {
        #expect(
          fixture.view.cellForItem(at: path)?.frame
            == fixture.layout.layoutAttributesForItem(at: path)?.frame)
      }
    }
  }
}

extension Snapshot<Int, Int> {
  fileprivate mutating func insertSectionForTest(_ section: Int) {
    guard let first = sectionIdentifiers.first else { return }
    // The anchor is there.
    try? insertSections([section], beforeSection: first)
  }
}

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
