import Diffable
import DiffableQueries
import DiffableTerminal
import DiffableTesting
import DiffableViews
import Foundation
import TestScope
import Testing

@testable import livelist

@Suite("Processes in a terminal", .deadline)
@MainActor
struct ProcessViewTests {
  private nonisolated static let start = ContinuousClock.now
  private static let memory = MachineMemory(total: 8 << 30, used: 3 << 30)

  /// What time it is for a view.
  private final class Clock {
    var now = ProcessViewTests.start
  }

  /// A view of processes that have changed once.
  private func makeView(
    _ grouping: ProcessArrangement.Grouping = .users, order: ProcessOrder = .cpu,
    clock: Clock = Clock(), rows: Int = 14
  ) async throws -> (view: ProcessView, source: ProcessSource) {
    let source = ProcessSource()
    var processes = listed([
      (1, "root"), (77, "root"), (4321, "ann"), (4322, "ann"), (4323, "ann"),
    ])
    let memory = [1: 12_345_678, 4321: 3 << 30, 4322: 1536 << 10, 4323: 1 << 20]
    try await source.write(
      processes, permille: [77: 3, 4321: 1234, 4322: 250, 4323: 200],
      memory: Dictionary(uniqueKeysWithValues: memory.map { (Int32($0), $1) }),
      machineMemory: Self.memory)
    let arrangement = ProcessArrangement(order: order, grouping: grouping)
    let view = ProcessView(
      source.derived { arrangement.query($0) }, arrangement, cores: 2, now: { clock.now })
    let size = TerminalSize(columns: 80, rows: rows)
    _ = view.screen(size)
    try await show(source, in: view)
    _ = view.screen(size)
    processes.remove(at: 1)
    processes += listed([(5000, "ann")])
    try await source.write(processes, permille: [4321: 100], memory: [5000: 4096])
    try await show(source, in: view)
    return (view, source)
  }

  /// Waits until the newest state is on the screen.
  private func show(_ source: ProcessSource, in view: ProcessView) async throws {
    _ = await view.shown.snapshot
    let summary = try #require(await source.sectionModel(for: .everybody))
    await view.show(await view.shown.revision, summary)
  }

  @Test("shows totals, titles, sections, rows with what just happened to them, and keys")
  func standard() async throws {
    let clock = Clock()
    let (view, _) = try await makeView(clock: clock)
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



         q quit  ? keys  / search  c m p sort  ↑↓ focus                   rows 1–8 of 8
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
    let (view, _) = try await makeView(.flat, order: .memory)
    let text = view.screen(TerminalSize(columns: 90, rows: 9)).text
    #expect(text.contains("PID   CPU %    ▾MEMORY USER       COMMAND"))
    #expect(text.contains("    4321    10.0    3.0 GiB ann        program-4321"))
    #expect(text.split(separator: "\n")[0].hasSuffix("livelist"))
    let narrow = view.screen(TerminalSize(columns: 32, rows: 6)).text
    #expect(narrow.contains("PID   CPU % ▾MEMORY"))
    view.expectFits()
  }

  @Test("shows what would command a terminal as text")
  func hostileNames() {
    let listed = ListedProcess(
      id: ProcessID(number: 8, start: 1), user: "\u{7}ann", command: "\u{1B}[2J\nq")
    let row = ProcessRow(record: ProcessRecord(listed: listed), disclosure: nil, showsUser: true)
    let line = row.line(TerminalSize(columns: 60, rows: 1), TerminalCell.State())
    #expect(line.text.hasSuffix(" ?ann       ?[2J?q"))
  }

  @Test("The lines around the list are drawn anew with a batch that changes no row")
  func surroundings() async throws {
    let (view, _) = try await makeView()
    var drawings = 0
    view.list.changeHandler = { drawings += 1 }
    await view.show(
      await view.shown.revision, ProcessSummary(sums: ProcessSums(processes: 7), users: 3))
    #expect(drawings > 0)
    let text = view.screen(TerminalSize(columns: 80, rows: 14)).text
    #expect(text.hasPrefix("7 processes of 3 users"))
  }

  @Test(
    "A machine that is silent has the time of its last word in its heading, until it speaks again")
  func silentMachines() async throws {
    let source = ProcessSource()
    try await source.write {
      $0.list([
        ListedProcess(
          id: ProcessID(number: 1, start: 1, machine: "b"), user: "ann", command: "command")
      ])
    }
    let arrangement = ProcessArrangement(order: .pid, grouping: .machines)
    let view = ProcessView(source.derived { arrangement.query($0) }, arrangement, cores: nil)
    await view.show(await view.shown.revision, ProcessSummary())
    let date = Date()
    let words = "silent since \(Figure.time(date, now: date))"
    for silent in [[:], ["b": date], ["c": date], [:]] {
      view.silentMachines = silent
      let text = view.screen(TerminalSize(columns: 100, rows: 14)).text
      #expect(text.contains(words) == (silent["b"] != nil))
      #expect(text.contains(", 1 silent") == !silent.isEmpty)
    }
  }

  @Test("Keys sort, and show idle kernel threads")
  func keys() async throws {
    let (view, source) = try await makeView(.flat)
    let size = TerminalSize(columns: 120, rows: 14)
    #expect(view.press(.character("q")) == .quit)
    func shown() -> [Int32] { view.controller.snapshot.itemIdentifiers.map(\.number) }
    func waitUntilShown(_ numbers: [Int32]) async throws {
      try await wait { shown() == numbers }
    }
    for (key, title, numbers) in [
      ("p", "▴PID", [1, 4321, 4322, 4323, 5000]), ("m", "▾MEMORY", [4321, 1, 4322, 4323, 5000]),
      ("c", "▾CPU", [4322, 4323, 4321, 1, 5000]),
    ] as [(Unicode.Scalar, String, [Int32])] {
      #expect(view.press(.character(key)) == .handled(true))
      try await waitUntilShown(numbers)
      #expect(view.screen(size).text.contains(title))
    }
    #expect(!view.screen(size).text.contains("idle"))
    try await source.write { table in
      let thread = ListedProcess(
        id: ProcessID(9), user: "root", command: "[kworker]", isKernelThread: true)
      table.list(table.inOrder.map(\.listed) + [thread])
    }
    try await show(source, in: view)
    #expect(view.screen(size).text.contains("i show 1 idle"))
    _ = view.press(.character("i"))
    try await waitUntilShown([4322, 4323, 4321, 1, 9, 5000])
    #expect(view.screen(size).text.contains("i hide idle"))
    _ = view.press(.character("i"))
    try await waitUntilShown([4322, 4323, 4321, 1, 5000])
    #expect(view.press(.character("x")) == .handled(false))
  }

  @Test("A tree folds and unfolds by the arrows, and folded rows show sums")
  func tree() async throws {
    let source = ProcessSource()
    try await source.write(
      listed([(1, "ann"), (2, "ann"), (3, "ann"), (4, "ann")], parents: [2: 1, 3: 2, 4: 1]),
      permille: [2: 100, 3: 20])
    let clock = Clock()
    let arrangement = ProcessArrangement(order: .pid, grouping: .tree)
    let view = ProcessView(
      source.derived { arrangement.query($0) }, arrangement, cores: 2, now: { clock.now })
    let size = TerminalSize(columns: 60, rows: 9)
    _ = view.screen(size)
    try await show(source, in: view)
    func rows() -> [String] {
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
    func waitFor(_ expected: [String]) async throws {
      try await wait { rows() == expected }
    }
    try await waitFor([
      "▾ program-1 0.0", "  ▾ program-2 10.0", "      program-3 2.0", "    program-4 0.0",
    ])
    // To the second row, which folds, and then to its parent.
    _ = view.press(.down)
    _ = view.press(.right)
    _ = view.press(.left)
    try await waitFor(["▾ program-1 0.0", "  ▸ +1 program-2 12.0", "    program-4 0.0"])
    _ = view.press(.left)
    #expect(view.list.focusedItemPath == ItemPath(section: 0, item: 0))
    _ = view.press(.enter)
    try await waitFor(["▸ +3 program-1 12.0"])
    // What happens below shows in the sum.
    try await source.write { $0.set(\.permille, to: [ProcessID(4): 50]) }
    try await waitFor(["▸ +3 program-1 17.0"])
    // A search shows a list, and leaves the tree as it was.
    for key in "/program-3".unicodeScalars { _ = view.press(.character(key)) }
    try await waitFor(["program-3 2.0"])
    _ = view.press(.escape)
    try await waitFor(["▸ +3 program-1 17.0"])
    _ = view.press(.right)
    try await waitFor(["▾ program-1 0.0", "  ▸ +1 program-2 12.0", "    program-4 5.0"])
    _ = view.press(.right)
    #expect(view.list.focusedItemPath == ItemPath(section: 0, item: 1))
  }
}
