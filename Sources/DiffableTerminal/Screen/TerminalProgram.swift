import Diffable
import Foundation

/// A program that has the terminal for itself while it runs.
///
/// It draws when something has changed, once for all changes since it last drew. It delivers keys,
/// follows the size of the terminal, and pauses on Ctrl-Z. It restores the terminal however it ends,
/// also if it crashes. Only a signal that no program can catch, or a stack that is exhausted, leaves the terminal
/// as it is.
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
    /// It was asked to end, by this signal.
    case signal(Int32)
  }

  /// The effect of a key.
  public enum KeyOutcome: Hashable, Sendable {
    /// The key was handled or ignored.
    case handled(Bool)
    /// The user wants the program to end.
    case quit
  }

  /// Returns the screen for a size.
  public var screen: @MainActor (TerminalSize) -> Screen = { Screen(size: $0, lines: []) }
  /// Handles a key.
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

  /// Records that the screen has to be drawn again.
  public func setNeedsDisplay() {
    isStale = true
    wish.yield()
  }

  /// Takes over the terminal, works, and restores it.
  ///
  /// A program runs once. If it ends because its work is done, the last screen has been drawn.
  ///
  /// - Parameter work: The work of the program; the program ends when it returns.
  /// - Returns: Why the program has ended. Its work has been cancelled and is over by then.
  /// - Throws: What the work throws, or ``OutputError`` if the terminal is gone.
  public func run(
    _ work: @escaping @MainActor () async throws -> Void
  ) async throws -> Ending {
    // Signals are watched before the terminal is changed, so that no signal arrives in between.
    let watch = await TerminalWatch(input: terminal.input)
    defer { watch.stop() }
    let events = watch.events
    try terminal.enter()
    defer { terminal.leave() }
    return try await withThrowingTaskGroup(of: Ending.self) { group in
      group.addTask {
        try await work()
        // What the work did last is to be seen. Who quits does not wait for it.
        try await self.draw()
        return .finished
      }
      group.addTask { try await self.obey(events) }
      group.addTask { try await self.drawWhenAsked() }
      defer { group.cancelAll() }
      setNeedsDisplay()
      return try await group.next() ?? .finished
    }
  }

  private func drawWhenAsked() async throws -> Ending {
    for await _ in wishes { try draw() }
    return .finished
  }

  private func draw() throws(OutputError) {
    // In the background of a shell the program is about to be stopped.
    guard isStale, terminal.isOwn else { return }
    isStale = false
    let screen = screen(terminal.size)
    try TerminalRescue.draw { () throws(OutputError) in try display.show(screen) }
  }

  /// Handles events of the user and the system, until one of them asks the program to end.
  private func obey(_ events: AsyncStream<TerminalEvent>) async throws -> Ending {
    for await event in events {
      switch event {
      case .key(let key):
        if keyHandler(key) == .quit { return .finished }
      case .resized:
        // It may have been smaller in between, and have lost what was there.
        drawAnew()
      case .pauseRequested:
        terminal.leave()
        CaughtSignals.stopProgram()
        try takeBack()
      case .resumed:
        // A signal that cannot be caught has stopped it, so somebody else may have used the terminal.
        try takeBack()
      case .endRequested(let signal):
        return .signal(signal)
      }
    }
    return .finished
  }

  /// Takes over the terminal again, after other programs have used it.
  private func takeBack() throws(OutputError) {
    try terminal.enter()
    drawAnew()
  }

  private func drawAnew() {
    display.forget()
    setNeedsDisplay()
  }
}
