import AppKit
import Diffable
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import Testing
import TestScope

@Suite(.deadline) @MainActor
struct NSCollectionViewHostTests {
  typealias Controller = ListController<Int, Int, NSCollectionViewHost>

  @Test("A header of a class that AppKit does not take is an error, not an exception")
  func wrongHeader() async throws {
    final class NoElement: NSView {}
    let fixture = NSCollectionViewFixture(headerHeight: 10)
    let host = NSCollectionViewHost(collectionView: fixture.view)
    let controller = Controller(host: host) { try fixture.cell($0, $1, $2) }
    let kind = NSCollectionView.elementKindSectionHeader
    let wrong = SupplementaryRegistration<NoElement, Int>(elementKind: kind) { _, _, _ in }
    controller.supplementaryProviders[kind] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(using: wrong, for: path, model: section)
    }
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    await controller.show(try UpdateBatch(from: Snapshot(), to: state([1])))
    guard case .wrongView(expected: "NoElement", _)? = errors.first else {
      Issue.record("\(errors)")
      return
    }
    let placeholder = host.supplementaryView(ofKind: kind, at: ItemPath(section: 0, item: 0))
    #expect(placeholder.flatMap(host.reuseIdentifier(ofSupplementaryView:)) == nil)
    #expect(placeholder != nil)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A view of the layout as a whole has a path with one index, and the first section")
  func viewsOfTheLayout() async throws {
    let fixture = NSCollectionViewFixture()
    let list = try await ShownSource(in: fixture, state([1], [2]))
    let banners = SupplementaryRegistration<NSCollectionViewFixture.Title, Int>(
      elementKind: "banner"
    ) { view, _, section in view.number = section }
    var paths: [ItemPath] = []
    list.controller.supplementaryProviders["banner"] = { views, path, section in
      paths.append(path)
      return try views.dequeueConfiguredReusableSupplementary(
        using: banners, for: path, model: section)
    }
    for indexPath in [IndexPath(index: 2), IndexPath(item: 3, section: 1)] {
      let view = fixture.view.dataSource?.collectionView(
        fixture.view, viewForSupplementaryElementOfKind: "banner", at: indexPath)
      let section = indexPath.count == 1 ? 100 : 101
      #expect((view as? NSCollectionViewFixture.Title)?.number == section)
    }
    #expect(paths == [ItemPath(section: 0, item: 2), ItemPath(section: 1, item: 3)])
    // Where no provider has one, there is a placeholder.
    list.controller.supplementaryProviders["banner"] = nil
    let placeholder = fixture.view.dataSource?.collectionView(
      fixture.view, viewForSupplementaryElementOfKind: "banner", at: IndexPath(index: 0))
    #expect(placeholder?.identifier?.rawValue == "DiffableUI.placeholder")
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A registration for another class than one of items is an error, not an exception")
  func wrongClass() async throws {
    final class NoItem: NSView {}
    let fixture = NSCollectionViewFixture()
    let host = NSCollectionViewHost(collectionView: fixture.view)
    let wrong = CellRegistration<NoItem, Int> { _, _, _ in }
    let controller = Controller(host: host) { cells, path, item in
      _ = try cells.dequeueConfiguredReusableCell(using: wrong, for: path, item: item)
      return nil
    }
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    await controller.show(try UpdateBatch(from: Snapshot(), to: state([1])))
    guard case .wrongView(expected: "NoItem", _)? = errors.first else {
      Issue.record("\(errors)")
      return
    }
    let path = ItemPath(section: 0, item: 0)
    let placeholder = try #require(host.cell(at: path))
    #expect(host.reuseIdentifier(of: placeholder) == nil)
  }

  @Test("A prefetch data source of the app stays that of the view, and is told what comes")
  func prefetching() async throws {
    final class Prefetching: NSObject, NSCollectionViewPrefetching {
      var paths: Set<IndexPath> = []
      func collectionView(
        _ collectionView: NSCollectionView, prefetchItemsAt indexPaths: [IndexPath]
      ) { paths.formUnion(indexPaths) }
    }
    let fixture = NSCollectionViewFixture(height: 60)
    let own = Prefetching()
    fixture.view.prefetchDataSource = own
    let list = try await ShownSource(in: fixture, state(Array(0..<10)))
    #expect(fixture.view.prefetchDataSource === own)
    #expect(own.paths == Set((3..<6).map { IndexPath(item: $0, section: 0) }))
    withExtendedLifetime(list) {}
  }

  @Test("An item that is configured again is measured again")
  func measuredAgain() async throws {
    let fixture = NSCollectionViewFixture(sizesItself: true)
    let list = try await ShownSource(in: fixture, state([1, 2]))
    func heights() -> [CGFloat?] {
      (0..<2).map { item in
        let path = IndexPath(item: item, section: 0)
        return fixture.view.layoutAttributesForItem(at: path)?.frame.height
      }
    }
    #expect(heights() == [1, 7])
    let cell = list.controller.cell(for: 1)
    try await list.update { try $0.renameItem(1, to: 3) }
    #expect(heights() == [35, 7])
    #expect(cell != nil && list.controller.cell(for: 3) === cell)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A column that is for a moment wider than its window stays a column")
  func narrowedColumn() async throws {
    let fixture = NSCollectionViewFixture(height: 100)
    let list = try await ShownSource(in: fixture)
    list.controller.sticksToEnd = true
    try await list.apply(state([0, 1, 2]))
    // The window is narrower at once, and its content afterwards.
    fixture.scrollView.frame.size.width = 50
    fixture.scrollView.tile()
    fixture.resizes(toWidth: 50)
    #expect(fixture.numbers == [0, 1, 2])
    try await list.apply(state(Array(0..<10)))
    #expect(fixture.numbers == [5, 6, 7, 8, 9])
    #expect(fixture.scrollView.contentView.bounds.origin == NSPoint(x: 0, y: 100))
  }
}
