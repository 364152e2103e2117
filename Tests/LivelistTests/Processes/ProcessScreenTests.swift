import Diffable
import DiffableTerminal
import Synchronization
import TerminalSupport
import Testing

@testable import livelist

@Suite("Screen of processes") struct ProcessScreenTests {
  private static let start = ContinuousClock.now

  private static let before = records([
    (1, "root", 0, 12_345_678), (77, "root", 3, 0), (4321, "ann", 1234, 3 << 30),
    (4322, "ann", 250, 1536 << 10), (4323, "ann", 200, 1 << 20),
  ])
  private static let after = records([
    (1, "root", 0, 12_345_678), (4321, "ann", 100, 3 << 30), (4322, "ann", 250, 1536 << 10),
    (4323, "ann", 200, 1 << 20), (5000, "ann", 0, 4096),
  ])

  /// What a renderer has sent to a terminal of this size.
  private func terminal(
    _ size: TerminalSize, isFlat: Bool = false, order: ProcessOrder = .cpu, usesColor: Bool = true,
    _ act: (ProcessRenderer) async throws -> Void = { _ in }
  ) async throws -> TerminalEmulator {
    let arrangement = ProcessArrangement(order: order, isFlat: isFlat)
    let sent = Sent()
    let renderer = ProcessRenderer(
      screen: ProcessScreen(arrangement: arrangement, cores: 2), size: size,
      usesColor: usesColor, metrics: { DataSourceMetrics() },
      write: { text in sent.text.withLock { $0 += text } })
    let memory = MachineMemory(total: 8 << 30, used: 3 << 30)
    var (old, new) = (ProcessSnapshot(), ProcessSnapshot())
    try arrangement.list(Self.before, in: &old)
    try arrangement.list(Self.after, in: &new)
    try await renderer.take(
      UpdateBatch(
        base: nil, target: Revision(1), difference: SnapshotDifference(), previousSnapshot: nil,
        snapshot: old, presentation: .animated),
      contents: ProcessTable.Contents(records: Self.before, machineMemory: memory),
      at: Self.start)
    try await renderer.take(
      UpdateBatch(
        base: Revision(1), target: Revision(2), difference: try new.difference(from: old),
        previousSnapshot: old, snapshot: new, presentation: .animated),
      contents: ProcessTable.Contents(records: Self.after, machineMemory: memory), at: Self.start)
    try await act(renderer)
    var terminal = TerminalEmulator(size: size)
    terminal.feed(sent.text.withLock { $0 })
    return terminal
  }

  /// What was written, from whichever task.
  private final class Sent: Sendable {
    let text = Mutex("")
  }

  @Test("shows totals, titles, sections, rows with what just happened to them, and keys")
  func standard() async throws {
    let terminal = try await terminal(TerminalSize(columns: 80, rows: 14))
    #expect(
      terminal.text == """
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



         q quit  ↑↓ scroll  PgUp PgDn page  Home End                      rows 1–8 of 8
        """)
  }

  @Test("says what the source has done where there is room")
  func metrics() async throws {
    let terminal = try await terminal(TerminalSize(columns: 120, rows: 14))
    let last = terminal.text.split(separator: "\n").last
    #expect(last?.contains("0 changes in 0 batches, longest 0 µs  rows 1–8 of 8") == true)
  }

  @Test("goes back to plain rows when the moment is over")
  func expired() async throws {
    let terminal = try await terminal(TerminalSize(columns: 80, rows: 10)) { renderer in
      try await renderer.expire(at: Self.start + ProcessRenderer.moment)
    }
    #expect(
      terminal.text == """
        5 processes of 2 users   CPU 55.0 % of 2 cores   memory 3.0 GiB of 8.0 GiB
              PID  ▾CPU %     MEMORY COMMAND
          ann  4 processes, 55.0 %, 3.0 GiB
             4322    25.0    1.5 MiB program-4322
             4323    20.0    1.0 MiB program-4323
             4321    10.0    3.0 GiB program-4321
             5000     0.0    4.0 KiB program-5000
          root  1 process, 0.0 %, 11.7 MiB
                1     0.0   11.7 MiB program-1
         q quit  ↑↓ scroll  PgUp PgDn page  Home End                      rows 1–7 of 7
        """)
  }

  @Test("without sections has a column for users")
  func flat() async throws {
    let terminal = try await terminal(
      TerminalSize(columns: 90, rows: 9), isFlat: true, order: .memory)
    #expect(
      terminal.text == """
        5 processes of 2 users   CPU 55.0 % of 2 cores   memory 3.0 GiB of 8.0 GiB        livelist
              PID   CPU %    ▾MEMORY USER       COMMAND
             4321    10.0    3.0 GiB ann        program-4321
                1     0.0   11.7 MiB root       program-1
             4322    25.0    1.5 MiB ann        program-4322
             4323    20.0    1.0 MiB ann        program-4323
        -      77     0.3          – root       program-77
        +    5000     0.0    4.0 KiB ann        program-5000
         q quit  ↑↓ scroll  PgUp PgDn page  Home End                                rows 1–6 of 6
        """)
  }

  @Test("leaves columns out where there is no room, and everything but rows in a few lines")
  func narrow() async throws {
    let narrow = try await terminal(TerminalSize(columns: 32, rows: 6))
    let low = try await terminal(TerminalSize(columns: 20, rows: 3))
    #expect(
      narrow.text == """
        5 processes of 2 users   CPU 55…
              PID  ▾CPU % COMMAND
          ann  4 processes, 55.0 %, 3.0…
             4322    25.0 program-4322
             4323    20.0 program-4323
         q quit           rows 1–3 of 8
        """)
    #expect(
      low.text == """
          ann  4 processes,…
             4322 program-4…
             4323 program-4…
        """)
  }

  @Test("draws in a terminal of any size", arguments: 1...12)
  func anySize(_ columns: Int) async throws {
    for rows in 1...6 {
      let terminal = try await terminal(TerminalSize(columns: columns, rows: rows))
      #expect(terminal.lines.count == rows)
    }
  }

  @Test("follows keys and a new size, and is drawn anew after somebody else has drawn")
  func keys() async throws {
    let size = TerminalSize(columns: 80, rows: 5)
    let scrolled = try await terminal(size) { renderer in
      let goesOn = [
        try await renderer.press(.down), try await renderer.press(.character("x")),
      ]
      #expect(goesOn == [true, true])
    }
    #expect(scrolled.lines[2].hasSuffix("program-4322"))
    #expect(scrolled.lines[4].hasSuffix("rows 2–3 of 8"))
    let ended = try await terminal(size) { renderer in
      let goesOn = [
        try await renderer.press(.end), try await renderer.press(.character("q")),
      ]
      #expect(goesOn == [true, false])
    }
    #expect(ended.lines[3].hasSuffix("program-1"))
    // A taller terminal shows the rows above again.
    let taller = try await terminal(TerminalSize(columns: 80, rows: 11)) { renderer in
      try await renderer.resize(to: size)
      _ = try await renderer.press(.end)
      try await renderer.yieldTerminal { TerminalSize(columns: 80, rows: 11) }
    }
    #expect(taller.lines[10].hasSuffix("rows 1–8 of 8"))
    #expect(taller.lines[9].hasSuffix("program-1"))
  }

  @Test("needs no colours")
  func noColor() async throws {
    let terminal = try await terminal(
      TerminalSize(columns: 80, rows: 14), usesColor: false)
    #expect(terminal.styles.allSatisfy { ["0", "1", "2", "7"].contains($0) })
    #expect(terminal.lines.contains { $0.hasPrefix("+ ") })
  }
}

@Suite("Figures") struct FigureTests {
  @Test(
    "Bytes are shown in the unit that keeps few digits",
    arguments: [
      (0, "–"), (1, "0.0 KiB"), (1024, "1.0 KiB"), (1023 << 10, "1023.0 KiB"), (1 << 20, "1.0 MiB"),
      (1536 << 20, "1.5 GiB"), (1 << 40, "1.0 TiB"), (1 << 50, "1024.0 TiB"),
    ])
  func bytes(_ count: Int, _ expected: String) {
    #expect(Figure.bytes(count) == expected)
  }

  @Test("A batch in one line says what changed and how much there is")
  func line() throws {
    let arrangement = ProcessArrangement(order: .cpu, isFlat: false)
    var (old, new) = (ProcessSnapshot(), ProcessSnapshot())
    try arrangement.list(records([(1, "a", 1, 0), (2, "a", 2, 0), (3, "b", 0, 0)]), in: &old)
    try arrangement.list(records([(1, "a", 3, 0), (2, "a", 2, 0), (4, "a", 0, 0)]), in: &new)
    let reset = UpdateBatch(
      base: nil, target: Revision(1), difference: SnapshotDifference(), previousSnapshot: nil,
      snapshot: old, presentation: .animated)
    #expect(
      BatchLine.text(for: reset, one: "process", many: "processes")
        == "r1: 3 processes in 2 sections")
    let change = UpdateBatch(
      base: Revision(1), target: Revision(2), difference: try new.difference(from: old),
      previousSnapshot: old, snapshot: new, presentation: .animated)
    #expect(
      BatchLine.text(for: change, one: "process", many: "processes")
        == "r1 → r2: 1 sections deleted, 1 inserted, 1 moved; 3 processes in 1 section")
  }
}
