import Diffable
import DiffableTesting
import DiffableViews

typealias List = Snapshot<Int, Int>
typealias Batches = BatchSequence<Int, Int>
typealias Host = SimulatorHost<SimulatedView, SimulatedView>
typealias Controller = ListController<Int, Int, Host>

let everyProfile: [ListProfile] = [.collectionView, .tableView, .movesApart, .sequential]

/// Kinds of cells that say which item they show, and how often they were told to.
@MainActor
struct Rows {
  final class Cell: SimulatedView {
    var item: Int?
    var configurations = 0
  }

  let plain = CellRegistration<Cell, Int> { cell, _, item in
    cell.item = item
    cell.text = "\(item)"
    cell.configurations += 1
  }
  let titles = SupplementaryRegistration<SimulatedView, String>(elementKind: "header") {
    view, _, title in
    view.text = title
  }
  /// Another kind of view for the same place.
  let banners = SupplementaryRegistration<SimulatedView, String>(elementKind: "header") {
    view, _, title in
    view.text = "banner: " + title
  }

  /// A controller of a host, whose cells show their items and whose headers their sections.
  func controller(of host: Host) -> Controller {
    let controller = Controller(host: host) { [plain] cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: plain, for: path, item: item)
    }
    controller.supplementaryProviders["header"] = { [titles] views, path, section in
      try views.dequeueConfiguredReusableSupplementary(
        using: titles, for: path, model: "section \(section)")
    }
    return controller
  }
}

/// A snapshot of sections that are numbered from 0.
func list(_ sections: [Int]...) throws -> List {
  var list = List()
  for (index, items) in sections.enumerated() {
    list.appendSections([index])
    try list.appendItems(items)
  }
  return list
}

extension SimulatorHost where Cell == SimulatedView {
  /// What the visible cells show, from top to bottom.
  var texts: [String] { visibleItemPaths.map { cell(at: $0)?.text ?? "no cell" } }
}

/// Something that a test does not hold.
struct Weak<Object: AnyObject> {
  weak var object: Object?
}

/// What a provider decides by, for tests that change their mind.
@MainActor
final class Choice {
  var isMade = false
}
