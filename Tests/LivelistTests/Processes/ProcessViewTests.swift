import Diffable
import DiffableTerminal
import DiffableTesting
import DiffableViews
import Foundation
import Testing

@testable import livelist

@Suite("Processes in a terminal")
@MainActor
struct ProcessViewTests {
  private nonisolated static let start = ContinuousClock.now
  private static let memory = MachineMemory(total: 8 << 30, used: 3 << 30)

  private static let before = records([
    (1, "root", 0, 12_345_678), (77, "root", 3, 0), (4321, "ann", 1234, 3 << 30),
    (4322, "ann", 250, 1536 << 10), (4323, "ann", 200, 1 << 20),
  ])
  private static let after = records([
    (1, "root", 0, 12_345_678), (4321, "ann", 100, 3 << 30), (4322, "ann", 250, 1536 << 10),
    (4323, "ann", 200, 1 << 20), (5000, "ann", 0, 4096),
  ])

  /// What time it is for a view.
  private final class Clock {
    var now = ProcessViewTests.start
  }

  /// A view of two batches, the second one just taken.
  private func view(
    _ grouping: ProcessArrangement.Grouping = .users, order: ProcessOrder = .cpu,
    clock: Clock? = nil, rows: Int = 14
  ) async throws -> ProcessView {
    let clock = clock ?? Clock()
    let arrangement = ProcessArrangement(order: order, grouping: grouping)
    let view = ProcessView(
      grouping: grouping, cores: 2, metrics: { DataSourceMetrics() }, now: { clock.now })
    _ = view.screen(TerminalSize(columns: 80, rows: rows))
    var (old, new) = (ProcessSnapshot(), ProcessSnapshot())
    try arrangement.list(Self.before, in: &old)
    try arrangement.list(Self.after, in: &new)
    var batch = try UpdateBatch(from: ProcessSnapshot(), to: old)
    batch.base = nil
    await view.take(
      batch, .init(records: Self.before, machineMemory: Self.memory, arrangement: arrangement))
    _ = view.screen(TerminalSize(columns: 80, rows: rows))
    try arrangement.mark(Set(Self.after.keys), in: &new)
    batch = try UpdateBatch(from: old, to: new)
    await view.take(
      batch, .init(records: Self.after, machineMemory: Self.memory, arrangement: arrangement))
    return view
  }

  @Test("shows totals, titles, sections, rows with what just happened to them, and keys")
  func standard() async throws {
    let clock = Clock()
    let view = try await view(clock: clock)
    #expect(
      view.screen(TerminalSize(columns: 80, rows: 14)).text == """
        5 processes of 2 users   CPU 55.0 % of 2 cores   memory 3.0 GiB of 8.0 GiB
              PID  ▾CPU %     MEMORY COMMAND
          ann  4 processes, 55.0 %, 3.0 GiB
             4322    25.0    1.5 MiB program-4322
             4323    20.0    1.0 MiB program-4323
        ↓    4321    10.0    3.0 GiB program-4321
        +    5000     0.0    4.0 KiB program-5000
          root  1 process, 0.0 %, 11.7 MiB
        -      77     0.3          – program-77
                1     0.0   11.7 MiB program-1



         q quit  ↑↓ focus  c m p sort  K J move  u U undo  / search       rows 1–8 of 8
        """)
    clock.now += ProcessView.moment
    view.list.expireChangeMarks()
    let text = view.screen(TerminalSize(columns: 130, rows: 10)).text
    #expect(!text.contains("program-77"))
    #expect(text.contains("     4321    10.0"))
    #expect(text.hasSuffix("0 changes in 0 batches, longest 0 µs  rows 1–7 of 7"))
  }

  @Test("without sections has a column for users, and leaves columns out where there is no room")
  func widths() async throws {
    let view = try await view(.flat, order: .memory)
    let text = view.screen(TerminalSize(columns: 90, rows: 9)).text
    #expect(text.contains("PID   CPU %    ▾MEMORY USER       COMMAND"))
    #expect(text.contains("    4321    10.0    3.0 GiB ann        program-4321"))
    #expect(text.split(separator: "\n")[0].hasSuffix("livelist"))
    let narrow = view.screen(TerminalSize(columns: 32, rows: 6)).text
    #expect(narrow.contains("PID   CPU % COMMAND"))
    for columns in 1...12 {
      for rows in 1...6 {
        let size = TerminalSize(columns: columns, rows: rows)
        #expect(view.screen(size).lines.count == rows)
      }
    }
  }

  @Test("The lines around the list are drawn anew with a batch that changes no row")
  func surroundings() async throws {
    let view = try await view()
    var drawings = 0
    view.changeHandler = { drawings += 1 }
    let state = view.controller.snapshot
    let batch = try UpdateBatch(from: state, to: state)
    let arrangement = ProcessArrangement(order: .memory, grouping: .users)
    await view.take(
      batch, .init(records: Self.after, machineMemory: Self.memory, arrangement: arrangement))
    #expect(drawings > 0)
    #expect(view.screen(TerminalSize(columns: 80, rows: 14)).text.contains("▾MEMORY"))
  }

  @Test("Keys say what the user wants, and what was done stands below the list")
  func keys() async throws {
    let view = try await view()
    var wishes: [ProcessWish] = []
    view.wishHandler = { wish in
      wishes.append(wish)
      return "done"
    }
    #expect(view.press(.character("q")) == .quit)
    // Nothing has the focus yet.
    _ = view.press(.character("K"))
    _ = view.press(.down)
    for key in "cmpuUJ".unicodeScalars { _ = view.press(.character(key)) }
    await view.lastWish?.value
    #expect(
      wishes == [
        .sort(.cpu), .sort(.memory), .sort(.pid), .undo, .redo,
        .move(ProcessID(4322), isUp: false),
      ])
    let size = TerminalSize(columns: 80, rows: 14)
    #expect(view.screen(size).text.contains("\n done "))
    _ = view.press(.down)
    #expect(view.screen(size).text.contains("\n q quit "))
  }

  @Test("A tree folds and unfolds by the arrows, and folded rows show sums")
  func tree() async throws {
    let source = ProcessSource(history: 4096)
    let table = ProcessTable(
      source: source, arrangement: ProcessArrangement(order: .pid, grouping: .tree))
    let clock = Clock()
    let view = ProcessView(
      grouping: .tree, cores: 2, metrics: { DataSourceMetrics() }, now: { clock.now })
    view.wishHandler = { try? await table.perform($0) }
    let size = TerminalSize(columns: 60, rows: 9)
    _ = view.screen(size)
    try await table.list(
      [(1, 0), (2, 1), (3, 2), (4, 1)].map { number, parent in
        ListedProcess(
          id: ProcessID(number), parent: parent, user: "ann", command: "program-\(number)")
      })
    _ = try await table.rearrange(
      changed: table.setPermille([ProcessID(2): 100, ProcessID(3): 20]))
    var last: ResumeToken?
    func show() async throws -> [String] {
      await view.lastWish?.value
      var updates = source.updates(after: last).makeAsyncIterator()
      let next = await updates.next()
      let batch = try #require(next)
      last = batch.token
      await view.take(batch, table.contents)
      clock.now += ProcessView.moment
      view.list.expireChangeMarks()
      return view.screen(size).text.split(separator: "\n").dropFirst(2).dropLast()
        .map { line in
          let words = line.split(separator: " ")
          return String(
            line[(line.range(of: "ann")?.upperBound ?? line.startIndex)...].dropFirst(8))
            + " " + (words.first { $0.contains(".") } ?? "")
        }
    }
    var rows = try await show()
    #expect(
      rows == [
        "▾ program-1 0.0", "  ▾ program-2 10.0", "      program-3 2.0", "    program-4 0.0",
      ])
    // To the second row, which folds, and then to its parent.
    _ = view.press(.down)
    _ = view.press(.right)
    _ = view.press(.left)
    rows = try await show()
    #expect(
      rows == [
        "▾ program-1 0.0", "  ▸ +1 program-2 12.0", "    program-4 0.0",
      ])
    _ = view.press(.left)
    #expect(view.list.focusedItemPath == ItemPath(section: 0, item: 0))
    _ = view.press(.enter)
    rows = try await show()
    #expect(rows == ["▸ +3 program-1 12.0"])
    // What happens below shows in the sum; undo leaves it alone.
    try await table.rearrange(changed: table.setPermille([ProcessID(4): 50]))
    rows = try await show()
    #expect(rows == ["▸ +3 program-1 17.0"])
    _ = view.press(.character("u"))
    rows = try await show()
    #expect(
      rows == [
        "▾ program-1 0.0", "  ▸ +1 program-2 12.0", "    program-4 5.0",
      ])
    #expect(view.screen(size).text.contains("undid: fold program-1"))
    _ = view.press(.right)
    _ = view.press(.right)
    #expect(view.list.focusedItemPath == ItemPath(section: 0, item: 1))
    #expect(try await show().count == 4)

  }

  @Test("A search shows what it finds unfolded; what is folded there stays as it was in the tree")
  func foldingDuringSearch() async throws {
    let view = try await treeView()
    var wishes: [ProcessWish] = []
    view.wishHandler = { wish in
      wishes.append(wish)
      return nil
    }
    func shown() -> [Int32] { view.controller.snapshot.itemIdentifiers.map(\.number) }
    func focused() -> Int32? {
      view.list.focusedItemPath.flatMap(view.controller.itemIdentifier(for:))?.number
    }
    func waitUntilShown(_ numbers: [Int32]) async {
      while shown() != numbers { await Task.yield() }
    }
    #expect(shown() == [1, 2, 4])
    for key in "/program-3".unicodeScalars { _ = view.press(.character(key)) }
    await waitUntilShown([1, 2, 3])
    _ = view.press(.enter)
    let size = TerminalSize(columns: 60, rows: 9)
    #expect(view.screen(size).text.contains("/ program-3"))

    // To the leaf, its parent, which folds, and the parent of that.
    for key in [Key.end, .left] { _ = view.press(key) }
    #expect(focused() == 2)
    _ = view.press(.left)
    await waitUntilShown([1, 2])
    // One is hidden, and what was not found is not counted. No row says that it is gone.
    #expect(view.screen(size).text.contains("▸ +1 program-2"))
    #expect(!view.screen(size).text.contains("program-3\n"))
    _ = view.press(.left)
    #expect(focused() == 1)
    _ = view.press(.left)
    await waitUntilShown([1])
    #expect(view.screen(size).text.contains("▸ +2 program-1"))
    _ = view.press(.right)
    await waitUntilShown([1, 2])
    // Enter does the same.
    _ = view.press(.down)
    _ = view.press(.enter)
    await waitUntilShown([1, 2, 3])
    _ = view.press(.enter)
    await waitUntilShown([1, 2])

    // What keys have done is said, and the search comes back with the next one.
    _ = view.press(.character("J"))
    #expect(view.screen(size).text.contains("moved when no search is on"))
    _ = view.press(.down)
    #expect(view.screen(size).text.contains("/ program-3"))

    // Another search is unfolded again, and none leaves the tree as it was.
    _ = view.press(.character("/"))
    _ = view.press(.end)
    _ = view.press(.backspace)
    await waitUntilShown([1, 2, 3, 4])
    _ = view.press(.escape)
    await waitUntilShown([1, 2, 4])
    #expect(wishes == [])
  }

  /// A tree of four processes, one of which is folded.
  private func treeView() async throws -> ProcessView {
    let arrangement = ProcessArrangement(order: .pid, grouping: .tree)
    var known = records((1...4).map { (Int32($0), "ann", 0, 0) })
    for (number, parent) in [(2, 1), (3, 2), (4, 1)] as [(Int32, Int32)] {
      known[ProcessID(number)]?.listed.parent = parent
    }
    let view = ProcessView(grouping: .tree, cores: 2, metrics: { DataSourceMetrics() })
    _ = view.screen(TerminalSize(columns: 60, rows: 9))
    var snapshot = ProcessSnapshot()
    try arrangement.list(known, in: &snapshot)
    snapshot.collapseItems([ProcessID(2)])
    var batch = try UpdateBatch(from: ProcessSnapshot(), to: snapshot)
    batch.base = nil
    await view.take(batch, .init(records: known, arrangement: arrangement))
    return view
  }
}
