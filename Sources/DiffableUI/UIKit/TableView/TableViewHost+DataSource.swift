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
    content?.numberOfItems(inSection: section) ?? 0
  }

  /// The cell that the content gives, or a placeholder.
  public func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    reuse.beginQuestion()
    do throws(ListError) {
      if let cell = try content?.cell(for: ItemPath(indexPath)) { return cell }
    } catch {
      // The controller has told its error handler.
    }
    return reuse.placeholder {
      tableView.dequeueReusableCell(withIdentifier: ReusedViews.placeholder, for: indexPath)
    }
  }

  /// The title of a section, where the program names titles.
  public func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    headerTitle?(section)
  }

  /// The title below a section, where the program names titles.
  public func tableView(
    _ tableView: UITableView, titleForFooterInSection section: Int
  ) -> String? {
    footerTitle?(section)
  }
}

extension TableViewHost: UITableViewDataSourcePrefetching {
  /// Tells the content which items may soon be on the screen.
  public func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
    content?.prefetchItems(at: indexPaths.map { ItemPath($0) })
  }

  /// Tells the content which of them will not be.
  public func tableView(
    _ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]
  ) {
    content?.cancelPrefetchingItems(at: indexPaths.map { ItemPath($0) })
  }
}
#endif
