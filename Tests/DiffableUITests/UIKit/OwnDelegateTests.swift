import Diffable
import DiffableUI
import DiffableViews
import TestScope
import Testing
import UIKit

/// Delegates of the app's own, in front of hosts.
@Suite(.deadline) @MainActor
struct OwnDelegateTests {
  /// Forwards what the host has, and asks the controller which row the user means.
  private final class Rows: NSObject, UITableViewDelegate {
    let host: TableViewHost
    let controller: ListController<Int, Int, TableViewHost>
    private(set) var asked: [Int?] = []

    init(host: TableViewHost, controller: ListController<Int, Int, TableViewHost>) {
      (self.host, self.controller) = (host, controller)
      super.init()
    }

    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      host.tableView(tableView, didSelectRowAt: indexPath)
    }

    func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
      host.tableView(tableView, viewForHeaderInSection: section)
    }

    func tableView(
      _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath,
      point: CGPoint
    ) -> UIContextMenuConfiguration? {
      asked.append(controller.itemIdentifier(for: indexPath))
      return nil
    }
  }

  @Test func `A delegate asks which row the user means, and forwards the rest`() async throws {
    let fixture = TableViewFixture(headerHeight: 10)
    let controller = fixture.makeController()
    let rows = Rows(host: fixture.host, controller: controller)
    fixture.view.delegate = rows
    let source = try DataSourceActor<Int, Int>(state([1, 2], [3]))
    controller.start(following: source)
    await controller.displayed(source.revision)
    #expect(fixture.view.headerView(forSection: 1) is TableViewFixture.Title)

    fixture.view.userTaps(at: IndexPath(row: 0, section: 1))
    #expect(controller.selectedItems == [3])
    let paths = [
      IndexPath(row: 1, section: 0), IndexPath(row: 2, section: 0), IndexPath(),
      IndexPath(index: 0),
    ]
    for path in paths {
      _ = fixture.view.delegate?.tableView(
        fixture.view, contextMenuConfigurationForRowAt: path, point: .zero)
    }
    #expect(rows.asked == [2, nil, nil, nil])
    #expect(controller.indexPath(for: 3) == IndexPath(row: 0, section: 1))
    #expect(controller.indexPath(for: 4) == nil)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }
}
