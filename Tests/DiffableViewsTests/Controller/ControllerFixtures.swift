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

/// A list on a screen, its controller, and the batch that it shows.
@MainActor
func shownList(
  _ sections: [Int]..., profile: ListProfile = .collectionView, rows: Int = .max
) async throws -> (Host, Controller, Batches) {
  let host = Host(profile: profile, visibleRowCount: rows)
  let controller = Rows().controller(of: host)
  var batches = Batches()
  await controller.show(try batches.next(list(of: sections)))
  return (host, controller, batches)
}

/// A snapshot of sections that are numbered from 0.
func list(_ sections: [Int]...) throws -> List { try list(of: sections) }

func list(of sections: [[Int]]) throws -> List {
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

/// A list view that draws nothing, and asks nothing.
@MainActor final class PlainHost: ListHost {
  final class Cell {}

  weak var content: (any ListContent<Cell, Cell>)?
  var profile: ListProfile {
    prepare()
    return .collectionView
  }
  let takesStages = true
  var numberOfSections = 0
  var selection = ItemPathSet()
  /// Is called as the stages of a batch are about to be found, and at other times.
  var prepare: @MainActor () -> Void = {}
  /// Is called each time that it shows something.
  var work: @MainActor () -> Void = {}

  func reset(keeping anchor: ListAnchor) {
    numberOfSections = content?.numberOfSections ?? 0
    work()
  }

  func perform(_ stage: ListStage) {
    stage.begin()
    numberOfSections = content?.numberOfSections ?? 0
    work()
    stage.end()
  }

  func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> Cell? { Cell() }
  func reuseIdentifier(of cell: Cell) -> String? { nil }
  var visibleItemPaths: [ItemPath] { [] }
  func cell(at path: ItemPath) -> Cell? { nil }
  func showSelection(_ paths: ItemPathSet) { selection = paths }
}

/// What a selection is by all that its handler was told.
@MainActor
final class ToldSelection {
  private(set) var items: Set<Int> = []
  /// Whether only what was not selected was told as selected, and the other way round.
  private(set) var isRight = true

  init(of controller: Controller) {
    controller.selectionHandler = { [unowned self] change in
      let (selected, deselected) = (change.selected, change.deselected)
      isRight = isRight && selected.isDisjoint(with: items) && deselected.isSubset(of: items)
      items = items.subtracting(deselected).union(selected)
    }
  }
}
