#if canImport(UIKit) && !os(watchOS)
import Diffable
import DiffableViews
import UIKit

extension TableViewHost {
  /// Answers what the view asks, with what its host has on display.
  ///
  /// The host holds it; so it is gone with the host, and the view then has no data source.
  @MainActor
  final class DataSource: NSObject {
    private(set) weak var host: TableViewHost?

    init(of host: TableViewHost) { self.host = host }
  }
}

extension TableViewHost.DataSource: UITableViewDataSource {
  func numberOfSections(in tableView: UITableView) -> Int { host?.content?.numberOfSections ?? 0 }

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    guard let host else { return 0 }
    return host.drag.count(
      host.content?.numberOfItems(inSection: section) ?? 0, inSection: section)
  }

  /// The cell that the content returns, or a placeholder.
  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
    let make = {
      tableView.dequeueReusableCell(withIdentifier: ReusedViews.placeholder, for: indexPath)
    }
    guard let host else { return make() }
    host.reuse.beginQuestion()
    let path = host.drag.path(ofItemShownAt: ItemPath(indexPath))
    // If there is an error, the controller has called its error handler.
    let cell = (try? host.content?.cell(for: path)) ?? host.reuse.placeholder(or: make)
    host.reuse.give(cell, for: host.content?.identity(ofItemAt: path))
    return cell
  }

  /// The title above a section, if the app provides titles.
  func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
    host?.headerTitle?(section)
  }

  /// The title below a section, if the app provides titles.
  func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
    host?.footerTitle?(section)
  }

  func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
    guard let host else { return false }
    return !host.drag.isAstray && host.canReorderItem?(ItemPath(indexPath)) == true
  }

  func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    guard let host else { return }
    let isMoved = host.drag.drop(
      from: ItemPath(sourceIndexPath), to: ItemPath(destinationIndexPath), in: host.content)
    guard !isMoved else { return }
    Task { host.drag.takeBack(in: host, selected: tableView.indexPathsForSelectedRows) }
  }
}

extension TableViewHost.DataSource: UITableViewDataSourcePrefetching {
  func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
    host?.content?.prefetchItems(at: indexPaths.map { ItemPath($0) })
  }

  func tableView(_ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]) {
    host?.content?.cancelPrefetchingItems(at: indexPaths.map { ItemPath($0) })
  }
}
#endif
