import DiffableLayout
import DiffableUI
import StandInSupport
import TestScope
import Testing
import UIKit

/// A view is told of each element what the layout says.
@Suite(.deadline) @MainActor
struct LayoutAttributesTests {
  typealias Fixture = CollectionViewLayoutTests.Fixture

  @Test("Of what a handler changes, of decorations, and of what belongs to no section")
  func elements() async throws {
    var section = CollectionViewLayoutTests.rows(height: .absolute(20))
    section.decorationItems = [.background(elementKind: "ground")]
    section.visibleItemsHandler = LayoutVisibleItemsHandler(id: 1) { items, _, _ in
      for index in items.indices where items[index].element == .item(section: 0, item: 1) {
        (items[index].alpha, items[index].isHidden, items[index].zIndex) = (0.5, true, 7)
        items[index].transform = LayoutTransform(a: 2, b: 3, c: 4, d: 5, tx: 6, ty: 7)
      }
    }
    let bar = LayoutBoundarySupplementaryItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(15)),
      elementKind: "title", alignment: .top)
    let fixture = Fixture(
      CompositionalLayout(
        section: section, configuration: LayoutConfiguration(boundarySupplementaryItems: [bar])))
    try await fixture.dataSource.apply(state([1, 2, 3]))
    let all = try #require(fixture.layout.layoutAttributesForElements(in: fixture.view.bounds))
    let cells = all.filter { $0.representedElementCategory == .cell }
    #expect(cells.map(\.indexPath) == (0..<3).map { IndexPath(item: $0, section: 0) })
    #expect(cells.map(\.alpha) == [1, 0.5, 1])
    #expect(cells.map(\.isHidden) == [false, true, false])
    #expect(cells.map(\.zIndex) == [1, 7, 1])
    #expect(
      cells.map(\.transform) == [
        .identity, CGAffineTransform(a: 2, b: 3, c: 4, d: 5, tx: 6, ty: 7), .identity,
      ])
    let title = all.first { $0.representedElementCategory == .supplementaryView }
    #expect(title?.indexPath == IndexPath(index: 0))
    #expect(title?.frame == CGRect(x: 0, y: 0, width: 100, height: 15))
    let ground = all.first { $0.representedElementCategory == .decorationView }
    #expect(ground?.representedElementKind == "ground")
    #expect(ground?.frame == CGRect(x: 0, y: 15, width: 100, height: 60))
    let alone = [
      fixture.layout.layoutAttributesForSupplementaryView(
        ofKind: "title", at: IndexPath(index: 0)),
      fixture.layout.layoutAttributesForDecorationView(
        ofKind: "ground", at: IndexPath(item: 0, section: 0)),
    ]
    #expect(alone.map { $0?.frame } == [title?.frame, ground?.frame])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("The safe area is where it is, whichever way a view is read", arguments: [false, true])
  func safeArea(isMirrored: Bool) async throws {
    var section = CollectionViewLayoutTests.rows(height: .absolute(20))
    section.contentInsetsReference = .safeArea
    let fixture = Fixture(CompositionalLayout(section: section))
    if isMirrored { fixture.view.ownLayoutDirection = .rightToLeft }
    try await fixture.dataSource.apply(state([1]))
    fixture.view.systemChangesInsets(
      safeArea: UIEdgeInsets(top: 0, left: 30, bottom: 0, right: 10))
    fixture.layout.invalidateLayoutIfSpaceChanged()
    fixture.view.layoutIfNeeded()
    #expect(fixture.cell(of: 1)?.frame == CGRect(x: 30, y: 0, width: 60, height: 20))
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }
}
