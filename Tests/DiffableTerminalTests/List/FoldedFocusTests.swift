import Diffable
import DiffableTerminal
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("The focus of a row that is folded away")
@MainActor
struct FoldedFocusTests {
  /// A tree of rows that are numbered from 0: the parent of each has a smaller number.
  private struct Tree: CustomStringConvertible {
    let parents: [Int?]

    static func all(_ count: Int) -> [Tree] {
      var trees: [[Int?]] = [[]]
      for row in 0..<count {
        let choices = [nil] + (0..<row).map(Optional.some)
        trees = trees.flatMap { tree in choices.map { tree + [$0] } }
      }
      return trees.map(Tree.init)
    }

    var description: String { parents.map { $0.map(String.init) ?? "-" }.joined(separator: " ") }

    func outline(collapsed: Set<Int>, reversed: Bool = false) throws -> Outline<Int> {
      var outline = Outline<Int>()
      let rows = parents.indices
      func append(below parent: Int?) throws {
        let children = rows.filter { parents[$0] == parent }
        let ordered = reversed ? children.reversed() : children
        if let parent {
          try outline.append(ordered, to: parent)
        } else {
          try outline.append(ordered)
        }
        for child in children { try append(below: child) }
      }
      try append(below: nil)
      outline.expand(rows.filter { !collapsed.contains($0) })
      return outline
    }

    /// The row that shows a row if some are collapsed: itself, or the outermost collapsed ancestor.
    func shown(_ row: Int, collapsed: Set<Int>) -> Int {
      var (shown, ancestor) = (row, parents[row])
      while let row = ancestor {
        if collapsed.contains(row) { shown = row }
        ancestor = parents[row]
      }
      return shown
    }
  }

  private func snapshot(_ outline: Outline<Int>) throws -> Snapshot<Int, Int> {
    var snapshot = Snapshot<Int, Int>()
    snapshot.appendSections([0])
    try snapshot.setOutline(outline, forSection: 0)
    return snapshot
  }

  @Test(
    "goes to the row under which it is, whatever is folded, also if rows move or get other names",
    arguments: [(false, false), (true, false), (false, true)])
  func folding(isReversed: Bool, isRenamed: Bool) async throws {
    var number = isReversed ? 1 : 0
    for tree in Tree.all(4) {
      let all = try snapshot(tree.outline(collapsed: []))
      for set in 1..<1 << 4 {
        let collapsed = Set((0..<4).filter { set & 1 << $0 != 0 })
        number += 2
        guard isInScope(number, usual: 7) else { continue }
        var folded = try snapshot(tree.outline(collapsed: collapsed, reversed: isReversed))
        if isRenamed { for row in 0..<4 { try folded.renameItem(row, to: row + 10) } }
        for focused in 0..<4 {
          let list = TerminalList(size: TerminalSize(columns: 9, rows: 3), layout: .rows())
          let controller = Cells.controller(of: list)
          var batches = Batches()
          await controller.show(try batches.next(all))
          list.focus(on: try #require(controller.itemPath(for: focused)))
          await controller.show(try batches.next(folded))
          let shown = tree.shown(focused, collapsed: collapsed)
          let expected = controller.itemPath(for: isRenamed ? shown + 10 : shown)
          #expect(
            list.focusedItemPath == expected && expected != nil,
            "\(focused) in \(tree), folded \(collapsed.sorted())")
        }
      }
    }
  }

  @Test(
    "stays on the folder when it is unfolded, and is found there if the list is shown from scratch")
  func scratch() async throws {
    let tree = Tree(parents: [nil, 0, 1, nil])
    let source = try DataSourceActor(try snapshot(tree.outline(collapsed: [])))
    let list = TerminalList(size: TerminalSize(columns: 9, rows: 6), layout: .rows())
    let controller = Cells.controller(of: list)
    controller.start(following: source)
    await controller.displayed(source.revision)
    list.focus(on: ItemPath(section: 0, item: 2))
    let other = try DataSourceActor(try snapshot(tree.outline(collapsed: [0])))
    controller.start(following: other)
    await controller.displayed(other.revision)
    #expect(list.focusedItemPath == ItemPath(section: 0, item: 0))
    await controller.displayed(try await other.update { $0.expandItems([0]) }.revision)
    #expect(list.focusedItemPath == ItemPath(section: 0, item: 0))
  }
}

@Suite("A row of estimated height")
@MainActor
struct EstimatedFocusTests {
  @Test("is as high as its text when it is visible, focused or not", arguments: 1...5)
  func heights(estimate: Int) async throws {
    for rows in [1, 2, 4, 7] {
      let list = TerminalList(
        size: TerminalSize(columns: 12, rows: rows),
        layout: .rows(estimatedHeight: estimate))
      let controller = Cells.controller(of: list, cells: Cells.tall)
      var batches = Batches()
      await controller.show(try batches.next(Array(0..<40)))
      for focused in [0, 30, 8, 20, 19, 35, 3, 2, 39, 0] {
        list.focus(on: ItemPath(section: 0, item: focused))
        let place = "\(focused) in \(rows) rows of \(estimate)"
        #expect(list.viewport.rows.contains { $0.path.item == focused }, "\(place)")
        for row in list.viewport.rows {
          #expect(
            row.span.upperBound - row.span.lowerBound == Double(row.path.item % 3 + 1),
            "\(row.path), focus on \(place)")
        }
      }
    }
  }

  @Test("is as high as the lines of its state, as soon as that changes")
  func states() async throws {
    let list = TerminalList(
      size: TerminalSize(columns: 12, rows: 20), layout: .rows(estimatedHeight: 1))
    let rows = CellRegistration<TerminalCell, Int> { cell, _, item in
      cell.drawing = { _, state in
        let count = 1 + (state.isFocused ? 1 : 0) + (state.isSelected ? 2 : 0)
        return (0..<count).map { StyledText("\(item).\($0)") }
      }
    }
    let controller = Cells.controller(of: list, cells: rows)
    var batches = Batches()
    await controller.show(try batches.next([1, 2, 3]))
    #expect(list.lineCount == 3)
    for (key, count) in [(Key.down, 4), (.enter, 6), (.down, 6), (.escape, 5)] {
      #expect(list.press(key))
      #expect(list.lineCount == count, "\(key)")
    }
    controller.select([3])
    #expect(list.lineCount == 7)
    controller.deselect([1, 3])
    #expect(list.lineCount == 3)
  }

  @Test("is seen with a line at least where a key moves the focus to it, whatever headers cover")
  func seen() async throws {
    let keys: [Key] = [.up, .up, .down, .down, .pageUp, .pageUp, .pageDown, .home, .end]
    for seed in 0..<rounds(80 as UInt64) {
      var random = SplitMix64(seed: seed)
      let list = TerminalList(
        size: TerminalSize(columns: 12, rows: 8),
        layout: .rows(estimatedHeight: 1 + random.number(below: 3), headerKind: "header"))
      let controller = Cells.controller(of: list, cells: Cells.tall)
      var batches = Batches()
      let sections = (1...3).map { section in
        (0..<random.number(below: 8)).map { section * 10 + $0 }
      }
      await controller.show(try batches.next(sections[0], sections[1], sections[2]))
      for step in 0..<40 {
        // A row is left for the focus beside the header.
        if random.chance(oneIn: 5) { list.size.rows = 2 + random.number(below: 5) }
        let key = random.element(of: keys) ?? .up
        guard list.press(key), let path = list.focusedItemPath else { continue }
        let item = try #require(controller.itemIdentifier(for: path))
        #expect(
          list.texts.contains { $0.hasPrefix("\(item).") },
          "seed \(seed), step \(step), \(key), \(list.texts)")
      }
    }
  }
}
