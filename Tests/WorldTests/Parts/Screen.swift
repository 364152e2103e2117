import Diffable
import DiffableQueries
import DiffableTesting
import DiffableViews

/// What is on the screen of a list whose rows measure themselves, and what must stay there.
@MainActor
final class Screen {
  /// A view, and whether it shows only the first rows of each section, and how many there are more.
  enum Kind: CaseIterable { case measured, terminal, abridged, abridgedTerminal }

  private let view: any ScreenView
  private let controls: Controls
  /// How many rows of each section are shown, if not all.
  private let length: Int?
  /// The list on the screen, its revision, and its rows there from top to bottom.
  private var list: PlainList
  private var revision: Revision?
  private var places: [Place] = []
  private var wasAtStart = true
  private var resets = 0
  /// What was in place before the view was resized, perhaps several times.
  private var held: Held?

  private struct Place {
    let soul: Int
    /// From the top of the screen.
    let distance: Double
  }

  private enum Held { case start, nothing, row(Place) }

  init(_ source: any CardSource, _ list: PlainList, _ kind: Kind) {
    let length: Int? = kind == .abridged || kind == .abridgedTerminal ? 3 : nil
    (self.length, self.list) = (length, length.map(list.abridged) ?? list)
    func controls<Host: ListHost>(
      _ host: Host, _ show: @escaping @MainActor (Card, Host.Cell) -> Void
    ) -> Controls {
      func make(_ source: some CardSource) -> Controls {
        length.map { Controls(host, source.abridged(to: $0, options: .strict), show) }
          ?? Controls(host, source, show)
      }
      return make(source)
    }
    switch kind {
    case .measured, .abridged:
      let view = MeasuringView()
      (self.view, self.controls) = (view, controls(view) { $1.card = $0 })
    case .terminal, .abridgedTerminal:
      let view = TerminalView()
      (self.view, self.controls) = (
        view, controls(view.list) { [unowned view] in view.show($0, in: $1) }
      )
    }
  }

  /// The rows on the screen, from top to bottom.
  var visibleIDs: [Int] {
    let rows = list.screenRows
    return view.rows.compactMap { rows[$0.path]?.id }
  }

  // MARK: What happens

  func pause() { controls.stop() }
  func resume() { controls.start() }

  /// The view gets another size.
  func resize(length: Int, width: Int) throws {
    try release()
    let first: Held = wasAtStart ? .start : places.first.map { .row($0) } ?? .nothing
    // A view that only gets wider or narrower has not become so long that it shows the end of the list.
    let hasOtherLength = Double(length) != view.viewport.length
    let former = hasOtherLength ? held ?? first : first
    view.resize(length: length, width: width)
    try look()
    switch former {
    case .start:
      try promise(view.viewport.offset == 0, "leaves the beginning as it is resized")
    case .row(let place) where length > 0:
      try promise(isInPlace(place), "does not keep \(place) as it is resized")
    case .row, .nothing: break
    }
    note()
    guard hasOtherLength else { return }
    // Where there is not enough content around a row, it is back in place once there is.
    let isLimited = view.viewport.offset == view.end || view.viewport.length == 0
    held = isLimited ? former : nil
  }

  /// The user pulls the content beyond an end.
  func pull(by distance: Int) throws {
    try release()
    held = nil
    view.pull(by: distance)
    note()
  }

  /// The user lets go of it, and it goes back to that end.
  private func release() throws {
    guard view.isPulled else { return }
    let isBeforeStart = wasAtStart
    _ = view.scroll(by: 0)
    try look()
    try promise(
      view.viewport.offset == (isBeforeStart ? 0 : view.end), "does not go back to its end")
    note()
  }

  /// The user scrolls, and the row that was the first one on the screen goes that far.
  func roll(by distance: Int) throws {
    try release()
    held = nil
    let distance = view.scroll(by: distance)
    try look()
    let first = places.first { place in
      list.row(ofSoul: place.soul).map {
        place.distance + view.height($0.card) > Double(distance)
          && place.distance <= Double(distance) + view.viewport.length
      } ?? false
    }
    if let first {
      let rolled = Place(soul: first.soul, distance: first.distance - Double(distance))
      try promise(isInPlace(rolled), "a row is not where the user has rolled it: \(rolled)")
    }
    note()
  }

  /// The program shows a row.
  func reveal(_ at: Int, at position: ListScrollPosition) throws {
    let rows = list.shownRows
    guard !rows.isEmpty else { return }
    try release()
    let id = rows[at % rows.count].id
    held = nil
    let isShown = controls.scroll(id, position)
    try promise(isShown, "does not know \(id)")
    try look()
    guard let (path, row) = list.screenRows.first(where: { $0.value.id == id }),
      let distance = view.distance(of: path)
    else { throw Failure("does not show \(id)") }
    let (length, height) = (view.viewport.length, view.height(row.card))
    let isSeen = distance + height > 0 && distance < length
    let isAtLimit = view.viewport.offset == 0 || view.viewport.offset == view.end
    // A row that is longer than the screen is shown from its beginning.
    let isLong = height > length && distance == 0
    let isThere =
      switch position {
      case .top: distance == 0 || isAtLimit
      case .bottom: distance + height == length || isLong || isAtLimit
      case .middle: abs(distance + height / 2 - length / 2) <= 1 || isLong || isAtLimit
      case .nearest: distance >= 0 && distance + height <= length || height > length
      }
    try promise(isSeen && isThere, "\(id) is at \(distance) instead of the \(position)")
    note()
  }

  /// Waits until the newest state is on the screen, and looks what has become of the rows there.
  ///
  /// - Parameter marks: What is known of the change.
  func settle(_ new: PlainList, _ marks: Marks) async throws {
    let revision = await controls.revision()
    let isShown = await controls.displayed(revision)
    try promise(isShown, "does not show \(revision)")
    let old = list
    list = length.map(new.abridged) ?? new
    if view.isPulled {
      self.revision = revision
      return
    }
    try look()
    // Of several changes, each may keep another row in place.
    let isOne = self.revision.map { $0.number + 1 == revision.number } ?? false
    if self.revision == revision { try promise(isUnmoved, "scrolls for nothing") }
    if self.revision != revision { held = nil }
    if isOne, view.resets == resets, !marks.isReset, !marks.isUnknown {
      try judge(from: old, marks.isInPlace)
    }
    (resets, self.revision) = (view.resets, revision)
    note()
  }

  private func note() {
    let rows = list.screenRows
    places = view.rows.compactMap { row in
      rows[row.path].map { Place(soul: $0.soul, distance: row.distance) }
    }
    wasAtStart = view.viewport.offset <= 0
  }

  // MARK: The laws

  /// The screen is full of rows, each as high as what it shows.
  private func look() throws {
    let rows = list.screenRows
    var end = view.rows.first?.distance ?? 0
    for row in view.rows {
      let card = rows[row.path]?.card
      try promise(
        card != nil && row.card == card,
        "the screen shows \(row.card as Any) at \(row.path) instead of \(card as Any)")
      try promise(
        row.height == card.map(view.height),
        "\(card as Any) is \(row.height) high at \(row.path)")
      try promise(row.distance == end, "there is a gap before \(row.path)")
      end += row.height
    }
    try promise(view.leftovers.isEmpty, "shows \(view.leftovers)")
    let (offset, length) = (view.viewport.offset, view.viewport.length)
    try promise((0...view.end).contains(offset), "is scrolled to \(offset) of \(view.end)")
    try promise(end >= length || offset == view.end, "the screen is empty from \(end) on")
    try promise(
      view.rows.first.map { $0.distance <= 0 } ?? (rows.isEmpty || length == 0),
      "begins with nothing")
  }

  private var isUnmoved: Bool {
    let rows = list.screenRows
    return places.map(\.soul) == view.rows.compactMap { rows[$0.path]?.soul }
      && places.map(\.distance) == view.rows.map(\.distance)
  }

  /// Of the rows that nobody has moved, the first one stays, or the last one if all are to stay.
  private func judge(from old: PlainList, _ isInPlace: Bool) throws {
    if wasAtStart, !isInPlace {
      let offset = view.viewport.offset
      return try promise(offset == 0, "leaves the beginning of the list for \(offset)")
    }
    let (before, after) = (old.shownShelves, list.shownShelves)
    let kept = places.filter { after[$0.soul] != nil && after[$0.soul] == before[$0.soul] }
    // Where there are several ways with the fewest moves, the product goes one of them.
    let unmoved = old.unmoved(in: list)
    guard let first = kept.firstIndex(where: { unmoved.contains($0.soul) }),
      let last = kept.lastIndex(where: { unmoved.contains($0.soul) })
    else { return }
    try promise(
      (isInPlace ? kept[last...] : kept[...first]).contains(where: self.isInPlace),
      """
      of the rows \(kept.map { "\($0.soul) at \($0.distance)" }) on the screen none stays:
        \(view.rows.map { "\($0.card?.id ?? -1) at \($0.distance)" })
        \(old.text)
        \(list.text)
      """)
  }

  /// Whether a row is where it was, as far as there is content around it and a line of it is left.
  private func isInPlace(_ place: Place) -> Bool {
    guard let (path, row) = list.screenRows.first(where: { $0.value.soul == place.soul }),
      let distance = view.distance(of: path)
    else { return false }
    let wanted = max(place.distance, min(0, 1 - view.height(row.card)))
    let offset = view.viewport.offset
    return offset == min(max(0, offset + distance - wanted), view.end)
  }
}

/// What a program does with the controller of a view, whatever its rows are.
@MainActor
private struct Controls {
  let stop: @MainActor () -> Void
  let start: @MainActor () -> Void
  let revision: @MainActor () async -> Revision
  let displayed: @MainActor (Revision) async -> Bool
  let scroll: @MainActor (Int, ListScrollPosition) -> Bool

  init<Source: ListSource, Model: PlainModel, Host: ListHost>(
    _ host: Host, _ source: Source, _ show: @escaping @MainActor (Card, Host.Cell) -> Void
  ) where Source.Batch == ModelBatch<Shelf, Model> {
    let cells = CellRegistration<Host.Cell, Model> { cell, _, model in show(model.card, cell) }
    let controller = ListController(host: host, following: source) { dequeuer, path, model in
      try dequeuer.dequeueConfiguredReusableCell(using: cells, for: path, item: model)
    }
    stop = { controller.stop() }
    start = { controller.start(following: source) }
    revision = { await source.revision }
    displayed = { await controller.displayed($0) }
    scroll = { controller.scroll(to: Model.id($0), at: $1) }
  }
}

extension PlainList {
  /// The rows that are shown, by their paths.
  fileprivate var screenRows: [ItemPath: Row] {
    var rows: [ItemPath: Row] = [:]
    for (index, section) in sections.enumerated() {
      for (item, row) in section.shown.enumerated() {
        rows[ItemPath(section: index, item: item)] = section.rows[row]
      }
    }
    return rows
  }

  fileprivate func row(ofSoul soul: Int) -> Row? { shownRows.first { $0.soul == soul } }

  /// The sections of the rows that are shown, by souls.
  fileprivate var shownShelves: [Int: Shelf] {
    let all = sections.flatMap { section in
      section.shown.map { (section.rows[$0].soul, section.shelf) }
    }
    return Dictionary(all) { one, _ in one }
  }

  /// Rows that every way to come from one list to another with the fewest moves leaves where they are.
  fileprivate func unmoved(in other: PlainList) -> Set<Int> {
    let shelves = Self.unmoved(sections.map(\.shelf.number), other.sections.map(\.shelf.number))
    var unmoved: Set<Int> = []
    for section in sections where shelves.contains(section.shelf.number) {
      guard let index = other.section(of: section.shelf) else { continue }
      let new = other.sections[index]
      unmoved.formUnion(
        Self.unmoved(
          section.shown.map { section.rows[$0].soul }, new.shown.map { new.rows[$0].soul }))
    }
    return unmoved
  }

  /// What is part of every longest list of things that are in the same order in two lists.
  private static func unmoved(_ one: [Int], _ other: [Int]) -> Set<Int> {
    let places = Dictionary(other.enumerated().map { ($1, $0) }) { one, _ in one }
    let both = one.compactMap { name in places[name].map { (name: name, place: $0) } }
    var before = [Int](repeating: 0, count: both.count)
    var after = before
    for index in both.indices {
      for other in 0..<index where both[other].place < both[index].place {
        before[index] = max(before[index], before[other] + 1)
      }
    }
    for index in both.indices.reversed() {
      for other in (index + 1)..<both.count where both[other].place > both[index].place {
        after[index] = max(after[index], after[other] + 1)
      }
    }
    let longest = both.indices.map { before[$0] + after[$0] }.max()
    let possible = both.indices.filter { before[$0] + after[$0] == longest }
    let ranks = Dictionary(grouping: possible) { before[$0] }
    return Set(ranks.values.filter { $0.count == 1 }.map { both[$0[0]].name })
  }
}
