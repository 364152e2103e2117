// compiles
import Diffable
import DiffableUI
import UIKit

nonisolated enum Section { case main }

nonisolated struct Mountain: Identifiable, Equatable {
  let id: String
  var height: Int
}

final class Mountains: NSObject {
  let source = ModelSource<Section, Mountain>()
  let rows: UICollectionView.CellRegistration<UICollectionViewListCell, Mountain> = .init {
    cell, _, mountain in
    var content = cell.defaultContentConfiguration()
    content.text = mountain.id
    cell.contentConfiguration = content
  }
  var dataSource: CollectionViewDiffableDataSource<Section, Mountain.ID>?
  var count = 0

  func open(_ view: UICollectionView) {
    dataSource = CollectionViewDiffableDataSource(collectionView: view, following: source) {
      [rows] view, indexPath, mountain in
      view.dequeueConfiguredReusableCell(using: rows, for: indexPath, item: mountain)
    }
  }

  func show(_ names: [String], in view: UITableView) async throws {
    let table = TableViewDiffableDataSource<Section, String>(tableView: view) { view, _, _ in
      UITableViewCell(frame: view.bounds)
    }
    var snapshot = Snapshot<Section, String>()
    snapshot.appendSections([.main])
    try snapshot.appendItems(names)
    try await table.apply(snapshot, animatingDifferences: true)
    table.apply(snapshot, animatingDifferences: false) { self.count += 1 }
  }
}
