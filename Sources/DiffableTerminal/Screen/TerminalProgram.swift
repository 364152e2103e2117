import Diffable
import Foundation

/// A program that has the terminal for itself while it is at work.
///
/// It draws when something has changed, and only once for all that changes before somebody lets it
/// draw. It hands over keys, follows the size of the terminal, pauses on Ctrl-Z, and gives the
/// terminal back as it was, however it ends:
///
/// ```swift
/// let program = TerminalProgram(terminal: terminal, colorDepth: .init(environment: environment))
/// program.screen = { size in Screen(size: size, lines: list.lines) }
/// program.keyHandler = { key in key == .character("q") ? .quit : .handled(list.press(key)) }
/// list.changeHandler = { program.setNeedsDisplay() }
/// let ending = try await program.run { await controller.follow(source) }
/// ```
@MainActor
public final class TerminalProgram {
  /// Why a program has ended.
  public enum Ending: Hashable, Sendable {
    /// Its work is done, or the user has quit.
    case finished
    /// Somebody wants it to end, with this signal.
    case signal(Int32)
  }

  /// What a key has done.
  public enum KeyOutcome: Hashable, Sendable {
    /// Something, or nothing.
    case handled(Bool)
    /// The user wants the program to end.
    case quit
  }

  /// What is to be seen in a size.
  public var screen: @MainActor (TerminalSize) -> Screen = { Screen(size: $0, lines: []) }
  /// Does what a key is for.
  public var keyHandler: @MainActor (Key) -> KeyOutcome = { _ in .handled(false) }

  private let terminal: Terminal
  private var display: TerminalDisplay
  private var isStale = true
  private let wishes: AsyncStream<Void>
  private let wish: AsyncStream<Void>.Continuation

  /// Creates a program that has not begun.
  public init(terminal: Terminal, colorDepth: ColorDepth) {
    self.terminal = terminal
    display = TerminalDisplay(writer: terminal.output, colorDepth: colorDepth)
    (wishes, wish) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Takes note that the screen looks different.
  public func setNeedsDisplay() {
    isStale = true
    wish.yield()
  }

  /// Takes the terminal over, works, and gives it back.
  ///
  /// A program runs once. What is to be seen when it ends has been drawn.
  ///
  /// - Parameter work: What the program does; the program ends when it returns.
  /// - Returns: Why the program has ended. Its work is cancelled, and over, by then.
  /// - Throws: What the work throws, or ``OutputError`` if the terminal is gone.
  public func run(
    _ work: @escaping @MainActor () async throws -> Void
  ) async throws -> Ending {
    // Signals are watched before the terminal is changed, so that none finds it changed.
    let watch = await TerminalWatch(input: terminal.input)
    defer { watch.stop() }
    let events = watch.events
    try terminal.enter()
    defer { terminal.leave() }
    return try await withThrowingTaskGroup(of: Ending.self) { group in
      group.addTask {
        try await work()
        return .finished
      }
      group.addTask { try await self.obey(events) }
      group.addTask { try await self.drawWhenAsked() }
      defer { group.cancelAll() }
      setNeedsDisplay()
      let ending = try await group.next() ?? .finished
      try draw()
      return ending
    }
  }

  private func drawWhenAsked() async throws -> Ending {
    for await _ in wishes { try draw() }
    return .finished
  }

  private func draw() throws(OutputError) {
    guard isStale else { return }
    isStale = false
    try display.show(screen(terminal.size))
  }

  /// Does what the user and the system say, until one of them wants an end.
  private func obey(_ events: AsyncStream<TerminalEvent>) async throws -> Ending {
    for await event in events {
      switch event {
      case .key(let key):
        if keyHandler(key) == .quit { return .finished }
      case .resized:
        setNeedsDisplay()
      case .pauseRequested:
        terminal.leave()
        kill(getpid(), SIGSTOP)
        // Here the process goes on when somebody brings it back.
        try terminal.enter()
        display.forget()
        setNeedsDisplay()
      case .endRequested(let signal):
        return .signal(signal)
      }
    }
    return .finished
  }
}
