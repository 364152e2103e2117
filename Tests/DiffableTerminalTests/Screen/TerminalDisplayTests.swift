import Synchronization
import TerminalSupport
import Testing

@testable import DiffableTerminal

@Suite("Terminal display") struct TerminalDisplayTests {
  /// Remembers what is written, and fails when it is told to.
  private final class Memory: TerminalWriter {
    private let state = Mutex((bytes: [UInt8](), isBroken: false))

    func write(_ bytes: [UInt8]) throws(OutputError) {
      let isBroken = state.withLock { state in
        if !state.isBroken { state.bytes += bytes }
        return state.isBroken
      }
      if isBroken { throw .closed }
    }

    func take() -> [UInt8] {
      state.withLock { state in
        defer { state.bytes = [] }
        return state.bytes
      }
    }

    func setBroken(_ isBroken: Bool) {
      state.withLock { $0.isBroken = isBroken }
    }
  }

  private let size = TerminalSize(columns: 8, rows: 2)

  private func screen(_ text: String) -> Screen {
    Screen(size: size, lines: [StyledText(text)])
  }

  @Test("A screen may be cut off anywhere, and leaving restores the terminal") func cutOff() throws
  {
    let memory = Memory()
    var display = TerminalDisplay(writer: memory, colorDepth: .sixteen)
    try display.show(screen("one"))
    let bytes = memory.take()
    for count in 0...bytes.count {
      var terminal = TerminalEmulator(size: size)
      terminal.feed(Array(TerminalCode.enter.utf8) + bytes.prefix(count))
      terminal.feed(Array(TerminalCode.leave.utf8))
      #expect(terminal.modes == ["?7", "?25"], "after \(count) bytes")
      #expect(terminal.lines == ["", ""])
    }
  }

  @Test("writes what changes to any writer, and all of it after a failure")
  func writing() throws {
    let memory = Memory()
    var display = TerminalDisplay(writer: memory, colorDepth: .sixteen)
    var terminal = TerminalEmulator(size: size)
    try display.show(screen("one"))
    terminal.feed(memory.take())
    #expect(terminal.lines == ["one", ""])
    try display.show(screen("one"))
    #expect(memory.take() == [])

    memory.setBroken(true)
    #expect(throws: OutputError.closed) { try display.show(screen("two")) }
    memory.setBroken(false)
    try display.show(screen("two"))
    terminal.feed(memory.take())
    #expect(terminal.lines == ["two", ""])

    display.forget()
    try display.show(screen("two"))
    #expect(!memory.take().isEmpty)
  }
}
