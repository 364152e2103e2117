import Diffable
import DiffableTerminal
import DiffableViews
import TestScope
import Testing

@Suite("Outlines in a terminal", .deadline)
@MainActor
struct OutlineTests {
  private struct Wish: Equatable {
    let item: String
    let isExpanded: Bool
  }

  private let rows = CellRegistration<TerminalCell, String> { cell, _, name in
    cell.line = StyledText("  " + name)
  }

  private func snapshot(expanded: [String]) throws -> Snapshot<String, String> {
    var outline = try Outline(["Fruit", "Vegetables"])
    try outline.append(["Apple", "Pear"], to: "Fruit")
    try outline.append(["Cabbage"], to: "Vegetables")
    try outline.append(["Savoy"], to: "Cabbage")
    outline.expand(expanded)
    var snapshot = Snapshot<String, String>()
    snapshot.appendSections(["Shop", "Notes"])
    try snapshot.setOutline(outline, forSection: "Shop")
    try snapshot.appendItems(["bring a bag"], toSection: "Notes")
    return snapshot
  }

  private func controller(
    of list: TerminalList, using other: CellRegistration<TerminalCell, String>? = nil
  ) -> ListController<String, String, TerminalList> {
    ListController(host: list) { [rows] cells, path, name in
      try cells.dequeueConfiguredReusableCell(using: other ?? rows, for: path, item: name)
    }
  }

  private func texts(_ list: TerminalList) -> [String] {
    Screen(size: list.size, lines: list.lines).text.split(separator: "\n").map(String.init)
  }

  @Test("The text before a row says its level and what can be done with it")
  func disclosureTexts() {
    for (sign, text) in [
      (Disclosure.Sign.leaf, "  "), (.collapsed, "▸ "), (.expanded, "▾ "), (.loading, "… "),
    ] {
      for level in 0...3 {
        let margin = String(repeating: "  ", count: level)
        #expect(Disclosure(level: level, sign: sign).text == margin + text)
      }
    }
  }

  @Test("A row of several lines has one triangle")
  func severalLines() async throws {
    let list = TerminalList(size: TerminalSize(columns: 20, rows: 8), layout: .rows(height: 2))
    let tall = CellRegistration<TerminalCell, String> { cell, _, name in
      cell.lines = [StyledText("  " + name), StyledText("  more")]
    }
    let controller = controller(of: list, using: tall)
    let source = try DataSourceActor(try snapshot(expanded: []))
    var batches = source.updates().makeAsyncIterator()
    await controller.show(try #require(await batches.next()))
    #expect(
      texts(list) == [
        "  ▸ Fruit", "    more", "  ▸ Vegetables", "    more", "  bring a bag", "  more",
      ])
  }

  @Test(
    "A row that is folded away stays selected beside another one only if several may be",
    arguments: [false, true])
  func selectedAway(selectsSeveral: Bool) async throws {
    let list = TerminalList(size: TerminalSize(columns: 20, rows: 8))
    list.allowsMultipleSelection = selectsSeveral
    let controller = controller(of: list)
    let source = try DataSourceActor(try snapshot(expanded: ["Fruit"]))
    var batches = source.updates().makeAsyncIterator()
    await controller.show(try #require(await batches.next()))
    controller.select(["Apple"])
    try await source.update { $0.collapseItems(["Fruit"]) }
    await controller.show(try #require(await batches.next()))
    #expect(controller.selectedItems == ["Apple"])
    #expect(list.press(.down) && list.press(.enter))
    #expect(controller.selectedItems == (selectsSeveral ? ["Apple", "Fruit"] : ["Fruit"]))
    try await source.update { $0.expandItems(["Fruit"]) }
    await controller.show(try #require(await batches.next()))
    #expect(controller.selectedItems == (selectsSeveral ? ["Apple", "Fruit"] : ["Fruit"]))
  }

  @Test("The arrows unfold and fold rows, and lead to children and parents")
  func folding() async throws {
    let list = TerminalList(size: TerminalSize(columns: 20, rows: 8))
    let controller = controller(of: list)
    let source = try DataSourceActor(try snapshot(expanded: ["Fruit"]))
    let (wishes, wish) = AsyncStream.makeStream(of: Wish.self)
    controller.expansionHandler = { item, isExpanded in
      wish.yield(Wish(item: item, isExpanded: isExpanded))
    }
    var next = wishes.makeAsyncIterator()
    var batches = source.updates().makeAsyncIterator()
    await controller.show(try #require(await batches.next()))
    #expect(
      texts(list) == [
        "  ▾ Fruit", "      Apple", "      Pear", "  ▸ Vegetables", "  bring a bag",
      ])

    func focused() -> String? { list.focusedItemPath.flatMap(controller.itemIdentifier(for:)) }
    for key in [Key.down, .right] { #expect(list.press(key)) }
    #expect(focused() == "Apple")
    #expect(!list.press(.right))
    #expect(list.press(.down))
    #expect(list.press(.left))
    #expect(focused() == "Fruit")
    #expect(list.press(.left))
    #expect(await next.next() == Wish(item: "Fruit", isExpanded: false))
    for key in [Key.down, .down, .down, .right] { #expect(list.press(key)) }
    #expect(await next.next() == Wish(item: "Vegetables", isExpanded: true))

    // The list changes when the source has.
    try await source.update { snapshot in
      snapshot.collapseItems(["Fruit"])
      snapshot.expandItems(["Vegetables"])
    }
    await controller.show(try #require(await batches.next()))
    #expect(texts(list) == ["  ▸ Fruit", "  ▾ Vegetables", "    ▸ Cabbage", "  bring a bag"])
    #expect(focused() == "Vegetables")
    for key in [Key.down, .left, .up] { #expect(list.press(key)) }
    #expect(focused() == "Fruit")
    #expect(!list.press(.left))
  }

  @Test("The sign of a row is drawn once: by the list, or by the drawing of its cell")
  func signs() async throws {
    let list = TerminalList(size: TerminalSize(columns: 20, rows: 8))
    let drawn = CellRegistration<TerminalCell, String> { cell, _, name in
      cell.drawing = { _, state in
        [StyledText((state.disclosure?.isExpandable == true ? "> " : "- ") + name)]
      }
    }
    let controller = ListController<String, String, TerminalList>(host: list) {
      [rows] cells, path, name in
      try cells.dequeueConfiguredReusableCell(
        using: name.hasPrefix("V") ? drawn : rows, for: path, item: name)
    }
    let source = try DataSourceActor(try snapshot(expanded: ["Fruit"]))
    await source.finish()
    await controller.follow(source)
    #expect(
      texts(list) == [
        "  ▾ Fruit", "      Apple", "      Pear", "> Vegetables", "  bring a bag",
      ])
  }

  @Test("Without a handler the source folds; what goes keeps its place for a moment")
  func source() async throws {
    let clock = ContinuousClock.now
    let list = TerminalList(
      size: TerminalSize(columns: 20, rows: 8), layout: .rows(), now: { clock })
    list.changeMarkDuration = .seconds(1)
    let controller = controller(of: list)
    let source = try DataSourceActor(try snapshot(expanded: ["Fruit"]))
    let following = Task { await controller.follow(source) }
    await source.delivered(source.revision)
    var batches = source.updates(after: source.token(for: await source.revision))
      .makeAsyncIterator()
    try await wait { controller.revision != nil }
    for key in [Key.down, .left] { #expect(list.press(key)) }
    let batch = try #require(await batches.next())
    try await wait { controller.revision == batch.target }
    list.removeFocus()
    #expect(
      texts(list) == [
        "  ▸ Fruit", "-     Apple", "-     Pear", "  ▸ Vegetables", "  bring a bag",
      ])
    await source.finish()
    _ = await following.value
  }
}
