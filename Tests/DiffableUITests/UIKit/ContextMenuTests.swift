import Diffable
import DiffableUI
import TestScope
import Testing
import UIKit

/// Menus of delegates that ask a data source which item a row shows.
@Suite(.deadline) @MainActor
struct ContextMenuTests {
  /// Deletes the item for which a menu is shown.
  private final class Menus: NSObject, UICollectionViewDelegate, UITableViewDelegate {
    let item: (IndexPath) -> Int?
    let source: any WritableListSource<Int, Int>
    private(set) var deletion: Task<Void, any Error>?

    init(source: any WritableListSource<Int, Int>, item: @escaping (IndexPath) -> Int?) {
      (self.source, self.item) = (source, item)
      super.init()
    }

    private func menu(for path: IndexPath) -> UIContextMenuConfiguration? {
      guard let item = item(path) else { return nil }
      let delete = UIAction(title: "Delete", attributes: .destructive) { [self] _ in
        deletion = Task { _ = try await source.updateOrder { $0.deleteItems([item]) } }
      }
      return UIContextMenuConfiguration(actionProvider: { _ in UIMenu(children: [delete]) })
    }

    func collectionView(
      _ collectionView: UICollectionView,
      contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
    ) -> UIContextMenuConfiguration? {
      indexPaths.first.flatMap(menu)
    }

    func tableView(
      _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath,
      point: CGPoint
    ) -> UIContextMenuConfiguration? {
      menu(for: indexPath)
    }
  }

  /// Lets another writer move the row while the menu is open, and chooses its only action.
  private func choose(
    _ configuration: UIContextMenuConfiguration?, of menus: Menus
  ) async throws {
    let delete = try #require(configuration?.menu?.children.first as? UIAction)
    _ = try await menus.source.updateOrder { try $0.moveItem(2, beforeItem: 1) }
    delete.handler(delete)
    try await menus.deletion?.value
  }

  @Test func `A menu of a collection view is about its item, wherever that is by now`() async throws
  {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let view = UICollectionView(
      frame: window.bounds, collectionViewLayout: UICollectionViewFlowLayout())
    window.addSubview(view)
    let cells = UICollectionView.CellRegistration<UICollectionViewCell, Int> { _, _, _ in }
    let data = CollectionViewDiffableDataSource<Int, Int>(collectionView: view) {
      $0.dequeueConfiguredReusableCell(using: cells, for: $1, item: $2)
    }
    try await data.apply(state([1, 2, 3]))
    let menus = Menus(source: data.source) { [data] in data.itemIdentifier(for: $0) }
    view.delegate = menus
    let menu = view.delegate?.collectionView(
      view, contextMenuConfigurationForItemsAt: [IndexPath(item: 1, section: 0)], point: .zero)
    try await choose(menu, of: menus)
    #expect(data.snapshot().itemIdentifiers == [1, 3])
  }

  @Test func `A menu of a table is about its row, whose cell needs no registration`() async throws {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let view = UITableView(frame: window.bounds)
    window.addSubview(view)
    let data = TableViewDiffableDataSource<Int, Int>(tableView: view) { _, _, number in
      let cell = UITableViewCell()
      cell.indentationLevel = number
      return cell
    }
    try await data.apply(state([1, 2, 3]))
    #expect(view.cellForRow(at: IndexPath(row: 2, section: 0))?.indentationLevel == 3)
    let menus = Menus(source: data.source) { [data] in data.itemIdentifier(for: $0) }
    view.delegate = menus
    let menu = view.delegate?.tableView(
      view, contextMenuConfigurationForRowAt: IndexPath(row: 1, section: 0), point: .zero)
    try await choose(menu, of: menus)
    #expect(data.snapshot().itemIdentifiers == [1, 3])
  }
}
