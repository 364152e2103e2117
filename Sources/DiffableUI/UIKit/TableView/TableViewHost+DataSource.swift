#if canImport(UIKit) && !os(watchOS)
import Diffable
import DiffableViews
public import UIKit

extension TableViewHost: UITableViewDataSource {
  /// The number of sections on display.
  public func numberOfSections(in tableView: UITableView) -> Int {
    content?.numberOfSections ?? 0
  }

  /// The number of items in a section on display.
  public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    drag.count(content?.numberOfItems(inSection: section) ?? 0, inSection: section)
  }

  /// The cell that the content returns, or a placeholder.
  public func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    reuse.beginQuestion()
    do throws(ListError) {
      let path = drag.path(ofItemShownAt: ItemPath(indexPath))
      if let cell = try content?.cell(for: path) { return cell }
    } catch {
      // The controller has called its error handler.
    }
    return reuse.placeholder {
      tableView.dequeueReusableCell(withIdentifier: ReusedViews.placeholder, for: indexPath)
    }
  }

  /// The title above a section, if the app provides titles.
  public func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    headerTitle?(section)
  }

  /// The title below a section, if the app provides titles.
  public func tableView(
    _ tableView: UITableView, titleForFooterInSection section: Int
  ) -> String? {
    footerTitle?(section)
  }

  /// Returns whether the user may drag a row.
  public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
    !drag.isAstray && canReorderItem?(ItemPath(indexPath)) == true
  }

  /// Reports to the content where the user has dropped a row.
  public func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    let isMoved = drag.drop(
      from: ItemPath(sourceIndexPath), to: ItemPath(destinationIndexPath), in: content)
    guard !isMoved else { return }
    Task { if self.drag.isAstray { self.reset(keeping: .offset) } }
  }
}

extension TableViewHost: UITableViewDataSourcePrefetching {
  /// Passes items that may soon be on the screen to the content.
  public func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
    content?.prefetchItems(at: indexPaths.map { ItemPath($0) })
  }

  /// Passes items that will not be on the screen after all to the content.
  public func tableView(
    _ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]
  ) {
    content?.cancelPrefetchingItems(at: indexPaths.map { ItemPath($0) })
  }
}
#endif
