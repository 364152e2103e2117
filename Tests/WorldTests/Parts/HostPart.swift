import Diffable
import DiffableTesting
import DiffableViews

/// A list view that follows a source, with a user who selects rows in it.
@MainActor
final class HostPart {
  typealias Host = SimulatorHost<CardCell, SimulatedView>

  final class CardCell: SimulatedView {
    var card: Card?
    var isReady = true
  }

  private let part: any Part
  private let host: Host
  private let controller: ListController<Shelf, Int, Host>
  /// The same list in a view whose rows measure themselves.
  private let screen: Screen
  private var selection = PlainSelection()
  /// The list on the screen.
  private var shown: PlainList
  private var isPaused = false
  /// What is known of the changes since that list.
  private var marks = Marks()

  init(_ part: any Part, _ profile: ListProfile, rows: Int, _ kind: Screen.Kind) {
    (self.part, shown, screen) = (part, part.truth, Screen(part.source, part.truth, kind))
    let host = Host(profile: profile, visibleRowCount: rows, elementKinds: ["header"])
    self.host = host
    let cells = CellRegistration<CardCell, Card> { cell, _, card in cell.card = card }
    let headers = SupplementaryRegistration<SimulatedView, String>(elementKind: "header") {
      view, _, title in view.text = title
    }
    func controller(_ source: some CardSource) -> ListController<Shelf, Int, Host> {
      let controller = ListController(host: host, following: source) { dequeuer, path, card in
        try dequeuer.dequeueConfiguredReusableCell(using: cells, for: path, item: card)
      }
      controller.setSupplementaryProvider(ofKind: "header") { views, path, _, model in
        try views.dequeueConfiguredReusableSupplementary(
          using: headers, for: path, model: model ?? "none")
      }
      return controller
    }
    self.controller = controller(part.source)
  }

  /// Waits until the newest state is on the screen, and looks at it.
  func settle() async throws {
    marks.formUnion(part.marks)
    if isPaused { return try look() }
    let revision = await part.source.revision
    guard revision != .empty else { return }
    let isShown = await controller.displayed(revision)
    try promise(isShown, "does not show \(revision)")
    selection.follow(
      from: shown, to: part.truth,
      knowing: marks.isUnknown ? controller.selectedItems : nil)
    shown = part.truth
    try look()
    try await screen.settle(shown, marks)
    marks = Marks()
  }

  /// Says what is on the screen to a list of pages.
  func report() async throws {
    guard !isPaused, let pages = part as? PagedPart, !shown.rows.isEmpty else { return }
    try await pages.report(screen.visibleIDs)
  }

  private func look() throws {
    try promise(host.violations.isEmpty, "\(host.violations)")
    let truth = shown
    for path in host.visibleItemPaths {
      let section =
        truth.sections.indices.contains(path.section) ? truth.sections[path.section] : nil
      let shown = section?.shown ?? []
      let row = shown.indices.contains(path.item) ? section?.rows[shown[path.item]] : nil
      try promise(
        row != nil && host.cell(at: path)?.card == row?.card,
        "the cell at \(path) shows \(host.cell(at: path)?.card as Any) instead of \(row as Any)")
    }
    try promise(
      host.visibleItemPaths.count == min(host.visibleRowCount, truth.shownRows.count),
      "\(host.visibleItemPaths.count) of \(truth.shownRows.count) rows are visible")
    for (index, section) in truth.sections.enumerated() {
      let view = host.supplementaryView(ofKind: "header", at: ItemPath(section: index, item: 0))
      guard let view else { continue }
      try promise(
        view.text == section.header ?? "none",
        "the header of \(section.shelf) is \(view.text) instead of \(section.header ?? "none")")
    }
    try promise(
      controller.selectedItems == selection.selected,
      "selected are \(controller.selectedItems.sorted()) instead of \(selection.selected.sorted())")
    let paths = truth.shownPaths.filter { selection.selected.contains($0.id) }.map(\.path)
    try promise(
      Array(host.selectedItemPaths) == paths,
      "the view selects \(host.selectedItemPaths), not \(paths)")
  }

  func perform(_ event: HostEvent) throws {
    let rows = shown.shownPaths
    func row(_ at: Int) -> (id: Int, path: ItemPath)? { rows.isEmpty ? nil : rows[at % rows.count] }
    switch event {
    case .tap(let at):
      guard let row = row(at) else { return }
      host.tapItem(at: row.path)
      selection.tap(row.id)
    case .extend(let to):
      guard let row = row(to) else { return }
      controller.extendSelection(to: row.id)
      selection.extend(to: row.id, in: shown)
    case .shift(let from, let to):
      guard let end = row(to), let origin = row(from) else { return }
      host.extendSelection(from: origin.path, to: end.path)
      if shown.standIn(for: selection.lead) != origin.id
        || shown.row(selection.anchor ?? -1) == nil
      {
        selection.begin(at: origin.id)
      }
      selection.extend(to: end.id, in: shown)
    case .select(let at, let count):
      let ids = (at..<at + count).compactMap { row($0)?.id }
      controller.select(ids)
      selection.select(Set(ids))
    case .deselect(let at):
      guard let row = row(at) else { return }
      controller.deselect([row.id])
      selection.deselect(row.id)
    case .scroll(let to): host.scroll(toRow: to)
    case .roll(let distance): try screen.roll(by: distance)
    case .pull(let distance): try screen.pull(by: distance)
    case .reveal(let at, let position):
      try screen.reveal(at, at: position)
    case .resize(let length, let width): try screen.resize(length: length, width: width)
    case .pause:
      isPaused = true
      controller.stop()
      screen.pause()
    case .resume:
      guard isPaused else { return }
      isPaused = false
      func start(_ source: some CardSource) { controller.start(following: source) }
      start(part.source)
      screen.resume()
    }
    try look()
  }
}

/// What is selected, in a plain list of rows.
struct PlainSelection {
  private(set) var selected: Set<Int> = []
  private(set) var anchor: Int?
  private(set) var lead: Int?
  /// What is selected without the range.
  private var others: Set<Int> = []

  mutating func begin(at id: Int?) { (anchor, lead, others) = (id, id, selected) }

  mutating func tap(_ id: Int) {
    if selected.remove(id) == nil {
      selected.insert(id)
      begin(at: id)
    } else {
      begin(at: nil)
    }
  }

  mutating func select(_ ids: Set<Int>) {
    selected.formUnion(ids)
    others.formUnion(ids)
    if ids.count == 1 { begin(at: ids.first) }
  }

  mutating func deselect(_ id: Int) {
    selected.remove(id)
    begin(at: nil)
  }

  mutating func extend(to id: Int, in list: PlainList) {
    if anchor.map({ list.row($0) == nil }) ?? true { begin(at: id) }
    let rows = list.shownRows.map(\.id)
    guard let first = list.standIn(for: anchor).flatMap(rows.firstIndex(of:)),
      let last = rows.firstIndex(of: id)
    else { return }
    selected = others.union(rows[min(first, last)...max(first, last)])
    lead = id
  }

  /// Rows keep their selection whatever they are called; what has gone comes back deselected.
  ///
  /// - Parameter selected: The names that are selected now, if a row that is called otherwise may be known or not.
  mutating func follow(from old: PlainList, to new: PlainList, knowing selected: Set<Int>?) {
    let ids = Dictionary(new.rows.map { ($0.soul, $0.id) }) { one, _ in one }
    var names: [Int: Int] = [:]
    for row in old.rows {
      let isKnown = ids[row.soul].map { selected?.contains($0) ?? true } ?? false
      names[row.id] = new.row(row.id) != nil ? row.id : isKnown ? ids[row.soul] : nil
    }
    self.selected = Set(self.selected.compactMap { names[$0] })
    others = Set(others.compactMap { names[$0] })
    (anchor, lead) = (anchor.map { names[$0] ?? $0 }, lead.map { names[$0] ?? $0 })
  }
}

extension PlainList {
  /// The rows on the screen, with their paths.
  var shownPaths: [(id: Int, path: ItemPath)] {
    sections.enumerated().flatMap { index, section in
      section.shown.enumerated().map { (section.rows[$1].id, ItemPath(section: index, item: $0)) }
    }
  }

  /// The row on the screen under which a row is folded away, or itself.
  func standIn(for id: Int?) -> Int? {
    guard let id, let place = place(of: id) else { return nil }
    let section = sections[place.section]
    return section.shown.last { section.subtree(at: $0).contains(place.row) }.map {
      section.rows[$0].id
    }
  }
}
