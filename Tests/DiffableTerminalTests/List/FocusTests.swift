import Diffable
import DiffableLayout
import DiffableTerminal
import DiffableTesting
import DiffableViews
import Testing
import TestScope

@Suite("The focus of a list in a terminal")
@MainActor
struct FocusTests {
  private let keys: [Key] = [
    .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .enter, .down, .right,
  ]

  /// What is drawn with the focus.
  private func focusedText(_ list: TerminalList) -> String {
    list.lines.flatMap(\.spans).filter(\.style.isReversed).map(\.text).joined()
  }

  @Test(
    "stays with its item through every change, and every key leaves it in sight",
    arguments: Layouts.allCases)
  func everyKey(layout: Layouts) async throws {
    for seed in 0..<rounds(8 as UInt64) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let list = TerminalList(size: TerminalSize(columns: 20, rows: 7), layout: layout.layout)
      let controller = Cells.controller(
        of: list, cells: layout == .estimated ? Cells.tall : Cells.rows)
      var batches = Batches()
      for step in 0..<10 {
        let before = list.focusedItemPath.flatMap { batches.snapshot.itemIdentifier(for: $0) }
        let wasInSight = list.focusedItemPath.map { list.cell(at: $0) != nil } ?? false
        let new =
          step == 0
          ? generator.snapshot(.uneven(sections: 3, items: 24))
          : generator.changing(
            batches.snapshot, by: generator.random.element(of: SnapshotChange.allCases) ?? .mixed)
        let isReset = generator.random.chance(oneIn: 4)
        await controller.show(try batches.next(new, presentation: isReset ? .reset : .animated))
        if let before, let path = batches.snapshot.itemPath(for: before) {
          #expect(list.focusedItemPath == path, "seed \(seed), step \(step)")
          if wasInSight { #expect(list.cell(at: path) != nil, "seed \(seed), step \(step)") }
        }
        for _ in 0..<6 {
          let key = generator.random.element(of: keys) ?? .down
          let isFollowed = list.press(key)
          guard let path = list.focusedItemPath else {
            #expect(batches.snapshot.numberOfItems == 0 || !isFollowed || key == .enter)
            continue
          }
          let item = try #require(batches.snapshot.itemIdentifier(for: path))
          // A narrow cell has no room for the text of a row that stands deep.
          let level = batches.snapshot.disclosure(ofItemAt: path)?.level ?? 0
          if isFollowed, level == 0 {
            #expect(
              focusedText(list).contains("\(item)"), "seed \(seed), step \(step), \(key), \(item)")
          }
        }
      }
    }
  }

  @Test("stays with its item wherever that goes, while sections come, go and change places")
  func everySection() async throws {
    let orders = everyOrderedSubset(of: [0, 1, 2]).filter { !$0.isEmpty }
    var number = 0
    for order in orders {
      // Each of three items in each of the sections.
      for code in 0..<order.count * order.count * order.count {
        let places = [code, code / order.count, code / order.count / order.count]
          .map { $0 % order.count }
        for (focused, isRenamed) in (1...3).flatMap({ [($0, false), ($0, true)] }) {
          number += 1
          guard isInScope(number, usual: 7) else { continue }
          let list = TerminalList(size: TerminalSize(columns: 9, rows: 3), layout: .rows())
          let controller = Cells.controller(of: list)
          var batches = Batches()
          await controller.show(try batches.next([1, 2], [3]))
          list.focus(on: try #require(controller.itemPath(for: focused)))
          controller.select([focused])
          var new = Snapshot<Int, Int>()
          for (index, section) in order.enumerated() {
            new.appendSections([section])
            try new.appendItems((1...3).filter { places[$0 - 1] == index })
          }
          if isRenamed { try new.renameItem(focused, to: focused + 10) }
          await controller.show(try batches.next(new))
          let path = controller.itemPath(for: isRenamed ? focused + 10 : focused)
          let comment: Comment = "\(focused) to \(order), \(places), renamed \(isRenamed)"
          #expect(list.focusedItemPath == path && path != nil, comment)
          #expect(controller.selectedPaths.first == path, comment)
        }
      }
    }
  }

  @Test(
    "comes into sight again only if it was, while a list is empty for one stage",
    arguments: [false, true])
  func emptyForOneStage(isInSight: Bool) async throws {
    let list = TerminalList(size: TerminalSize(columns: 20, rows: 5), layout: .rows())
    let controller = Cells.controller(of: list, cells: Cells.rows)
    var (old, new) = (Snapshot<Int, Int>(), Snapshot<Int, Int>())
    old.appendSections([1, 2])
    try old.appendItems(Array(0..<20), toSection: 1)
    // The sections change places after their items have gone, and before these come in a new one.
    new.appendSections([2, 1, 3])
    try new.appendItems(Array(0..<20), toSection: 3)
    var batches = Batches()
    await controller.show(try batches.next(old))
    list.focus(on: ItemPath(section: 0, item: 19))
    if !isInSight { list.scroll(to: .start, isAnimated: false) }
    await controller.show(try batches.next(new))
    let path = ItemPath(section: 2, item: 19)
    #expect(list.focusedItemPath == path && (list.cell(at: path) != nil) == isInSight)
  }

  @Test("Enter shows the row that it selects, wherever the program has scrolled to")
  func enter() async throws {
    let list = TerminalList(size: TerminalSize(columns: 20, rows: 5), layout: .rows())
    let controller = Cells.controller(of: list, cells: Cells.rows)
    var batches = Batches()
    await controller.show(try batches.next(try DiffableTerminalTests.list(Array(0..<20))))
    for item in 0..<20 {
      for end in [ListAnchor.start, .end] {
        let path = ItemPath(section: 0, item: item)
        list.focus(on: path)
        list.scroll(to: end, isAnimated: false)
        let wasSelected = controller.selectedItems.contains(item)
        #expect(list.press(.enter) && list.cell(at: path) != nil, "\(item)")
        #expect(controller.selectedItems.contains(item) != wasSelected, "\(item)")
      }
    }
  }

  @Test("goes to the row in its place when its own goes, whatever else the same batch brings")
  func gap() async throws {
    let old = Array(0..<5)
    for kept in 0..<1 << old.count {
      let staying = old.filter { kept & 1 << $0 != 0 }
      let half = staying.count / 2
      let middle = Array(staying.prefix(half) + [10, 11] + staying.dropFirst(half))
      for new in [staying, [10, 11] + staying, staying + [10], middle] {
        for focused in old where !staying.contains(focused) {
          let list = TerminalList(size: TerminalSize(columns: 9, rows: 9), layout: .rows())
          let controller = Cells.controller(of: list)
          var batches = Batches()
          await controller.show(try batches.next(old))
          list.focus(on: ItemPath(section: 0, item: focused))
          await controller.show(try batches.next(new))
          let before = old[..<focused].last(where: staying.contains)
          let place = before.flatMap(new.firstIndex(of:)).map { $0 + 1 } ?? 0
          let expected = new.isEmpty ? nil : ItemPath(section: 0, item: min(place, new.count - 1))
          #expect(list.focusedItemPath == expected, "\(focused) of \(old), then \(new)")
        }
      }
    }
  }

  @Test("goes to the last row before it when its section goes, or to the first after it")
  func sectionGoes() async throws {
    for (sections, expected) in [
      ([[1, 2, 3], [4, 5]], ItemPath(section: 0, item: 2)),
      ([[1, 2], [], [4, 5]], ItemPath(section: 0, item: 1)),
      ([[], [4, 5], [6, 7]], ItemPath(section: 1, item: 0)),
    ] {
      let list = TerminalList(size: TerminalSize(columns: 9, rows: 9), layout: .rows())
      let controller = Cells.controller(of: list)
      let old = try DiffableTerminalTests.list(of: sections)
      var batches = Batches()
      await controller.show(try batches.next(old))
      list.focus(on: try #require(old.itemPath(for: 4)))
      var new = old
      new.deleteSections([try #require(old.sectionIdentifier(containingItem: 4))])
      await controller.show(try batches.next(new))
      #expect(list.focusedItemPath == expected, "\(sections)")
    }
  }

  @Test("moves through rows and columns as they are to be seen")
  func grid() async throws {
    let list = TerminalList(
      size: TerminalSize(columns: 30, rows: 6), layout: Layouts.layout(columns: 3))
    let controller = Cells.controller(of: list)
    var batches = Batches()
    await controller.show(try batches.next(Array(0..<8), Array(10..<14)))
    var visited: [Int] = []
    let path: [Key] = [
      .down, .right, .right, .right, .down, .down, .left, .down, .up, .up, .end, .up, .home,
      .pageDown,
      .left,
    ]
    for key in path {
      _ = list.press(key)
      visited.append(try #require(list.focusedItemPath.flatMap(controller.itemIdentifier(for:))))
    }
    // In the last row of the first section there is nothing in the third column. Going on, the focus
    // comes back to that column until it moves sideways.
    #expect(visited == [0, 1, 2, 2, 5, 7, 6, 10, 6, 3, 13, 10, 0, 6, 6])
    #expect(!list.press(.left))
  }

  @Test("scrolls sections that scroll across the list, page by page or as little as it takes")
  func across() async throws {
    for (layout, first, last) in [
      (Layouts.paging, "3", "5"), (.continuous, "2      3", "4      5"),
      (.centered, "    3           4", "    5"),
    ] {
      let list = TerminalList(size: TerminalSize(columns: 20, rows: 3), layout: layout.layout)
      let controller = Cells.controller(of: list)
      var batches = Batches()
      await controller.show(try batches.next(Array(0..<6)))
      for key in [Key.down, .right, .right, .right] { #expect(list.press(key)) }
      #expect(list.texts[1].contains(first), "\(layout): \(list.texts)")
      for _ in 0..<2 { #expect(list.press(.right)) }
      #expect(!list.press(.right))
      #expect(list.texts[1].contains(last), "\(layout): \(list.texts)")
      // What is inserted before does not move what is in sight, nor does showing it from scratch.
      let shown = list.texts[1]
      await controller.show(try batches.next(Array(-3..<6)))
      #expect(list.texts[1] == shown, "\(layout)")
      await controller.show(try batches.next(Array(-3..<6), presentation: .reset))
      #expect(list.texts[1] == shown, "\(layout)")
    }
  }

  @Test("selects one item or several on Enter, and tells the controller")
  func selecting() async throws {
    let list = TerminalList(size: TerminalSize(columns: 20, rows: 5))
    let controller = Cells.controller(of: list)
    var batches = Batches()
    await controller.show(try batches.next([1, 2, 3]))
    #expect(!list.press(.enter))
    for key in [Key.down, .enter, .down, .enter] { _ = list.press(key) }
    #expect(controller.selectedItems == [2])
    list.allowsMultipleSelection = true
    for key in [Key.down, .enter] { _ = list.press(key) }
    #expect(controller.selectedItems == [2, 3])
    _ = list.press(.enter)
    #expect(controller.selectedItems == [2])
    #expect(list.press(.escape))
    #expect(list.focusedItemPath == nil)
    #expect(!list.press(.escape))
    list.focus(on: ItemPath(section: 0, item: 2))
    // The focus goes to a neighbour of an item that goes.
    await controller.show(try batches.next([1, 2]))
    #expect(list.focusedItemPath == ItemPath(section: 0, item: 1))
    await controller.show(try batches.next([], [7]))
    #expect(list.focusedItemPath == ItemPath(section: 1, item: 0))
    await controller.show(try batches.next([]))
    #expect(list.focusedItemPath == nil)
  }

  @Test("With Shift the keys select what the focus passes, and go on where they were after sorting")
  func ranges() async throws {
    let list = TerminalList(size: TerminalSize(columns: 20, rows: 5))
    let controller = Cells.controller(of: list)
    var batches = Batches()
    await controller.show(try batches.next(Array(1...9)))
    // Without a choice of several, Shift is nothing.
    for _ in 0..<3 { #expect(list.press(.shift(.down))) }
    #expect(list.focusedItemPath == ItemPath(section: 0, item: 2))
    #expect(controller.selectedItems.isEmpty)
    list.allowsMultipleSelection = true
    for key in [Key.shift(.down), .shift(.down), .shift(.up)] { #expect(list.press(key)) }
    #expect(controller.selectedItems == [3, 4])
    let selected = try #require(list.cell(at: ItemPath(section: 0, item: 3)))
    #expect(selected === list.cell(at: try #require(list.focusedItemPath)))
    await controller.show(try batches.next((1...9).reversed()))
    #expect(list.press(.shift(.end)))
    #expect(controller.selectedItems == [3, 2, 1])
    #expect(list.press(.shift(.home)))
    #expect(controller.selectedItems == Set(3...9))
    // Without Shift the range is over, and the next one begins at the focus.
    #expect(list.press(.down))
    #expect(list.press(.shift(.down)))
    #expect(controller.selectedItems == Set(3...9))
    #expect(list.press(.shift(.pageDown)))
    #expect(controller.selectedItems.isSuperset(of: 3...9))
    list.allowsFocus = false
    #expect(list.press(.shift(.up)))
  }

  @Test("stays with a row that gets another identifier, also when it is shown from scratch then")
  func renamed() async throws {
    for isReset in [false, true] {
      let list = TerminalList(size: TerminalSize(columns: 20, rows: 3))
      list.changeMarkDuration = .seconds(60)
      let controller = Cells.controller(of: list)
      var batches = Batches()
      await controller.show(try batches.next(Array(1...9)))
      for _ in 0..<5 { _ = list.press(.down) }
      _ = list.press(.enter)
      #expect(zip(list.texts, ["3", "4", "5"]).allSatisfy { $0.contains($1) })
      #expect(controller.selectedItems == [5])
      var new = batches.snapshot
      try new.renameItem(5, to: 50)
      try new.insertItems([0], beforeItem: 1)
      await controller.show(try batches.next(new, presentation: isReset ? .reset : .animated))
      #expect(zip(list.texts, ["3", "4", "50"]).allSatisfy { $0.contains($1) })
      #expect(controller.selectedItems == [50])
      #expect(list.focusedItemPath == controller.itemPath(for: 50))
      // From now on the focus goes by the new name.
      try new.moveItem(50, beforeItem: 0)
      await controller.show(try batches.next(new, presentation: .reset))
      #expect(list.focusedItemPath == ItemPath(section: 0, item: 0))
    }
  }

  @Test("begins at the first row that no header covers, wherever the list is")
  func first() async throws {
    for height in 2...4 {
      for start in 0...(10 - height) {
        for key in [Key.down, .up, .pageDown, .home] {
          let list = TerminalList(
            size: TerminalSize(columns: 20, rows: height), headerKind: "header")
          let controller = Cells.controller(of: list)
          var batches = Batches()
          await controller.show(try batches.next(Array(0..<9)))
          list.allowsFocus = false
          for _ in 0..<start { _ = list.press(.down) }
          list.allowsFocus = true
          #expect(list.press(key))
          let comment: Comment = "\(key) at \(start), height \(height)"
          #expect(list.focusedItemPath == ItemPath(section: 0, item: start), comment)
          #expect(list.visibleLines.lowerBound == start, comment)
        }
      }
    }
  }

  @Test("is where the program puts it, and nowhere in a list that only scrolls")
  func program() async throws {
    let list = TerminalList(size: TerminalSize(columns: 20, rows: 3), headerKind: "header")
    let controller = Cells.controller(of: list)
    var batches = Batches()
    await controller.show(try batches.next(Array(0..<9)))
    list.focus(on: ItemPath(section: 0, item: 5))
    #expect(list.texts.map { $0.filter { $0 != " " } } == ["section0", "4", "5"])
    list.focus(on: ItemPath(section: 0, item: 1))
    #expect(list.texts.map { $0.filter { $0 != " " } } == ["section0", "1", "2"])
    list.focus(on: ItemPath(section: 1, item: 0))
    #expect(list.focusedItemPath == ItemPath(section: 0, item: 1))
    // A smaller list keeps it in sight.
    list.focus(on: ItemPath(section: 0, item: 2))
    list.size.rows = 2
    #expect(list.texts.map { $0.filter { $0 != " " } } == ["section0", "2"])
    list.allowsFocus = false
    #expect(list.focusedItemPath == nil)
    list.focus(on: ItemPath(section: 0, item: 1))
    #expect(list.focusedItemPath == nil)
  }
}
