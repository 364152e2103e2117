import Dispatch
import Foundation

/// An event for a program in a terminal.
package enum TerminalEvent: Equatable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// The size of the terminal has changed.
  case resized
  /// The program is asked to pause (Ctrl-Z).
  case pauseRequested
  /// The program continues after it was stopped without being asked to pause.
  case resumed
  /// The program is asked to end, by this signal: Ctrl-C, Ctrl-\\, a closed terminal, or another
  /// program.
  case endRequested(signal: Int32)
}

/// Turns keys and signals into events, until it is stopped.
///
/// A program has one watch at a time. If it is asked to end again after ``TerminalEvent/endRequested(signal:)``,
/// and not by a closed terminal, it ends at once. Signals that end it without being asked, such as those
/// of a crash, restore the terminal first.
///
/// Everything runs on one queue; the key parser and its buffer belong to it.
package final class TerminalWatch {
  /// The maximum time between an escape and the rest of a sequence.
  private static let escapeTime = DispatchTimeInterval.milliseconds(50)

  /// The events, until ``stop()`` is called.
  package let events: AsyncStream<TerminalEvent>
  private let continuation: AsyncStream<TerminalEvent>.Continuation
  private let queue = DispatchQueue(label: "diffable.terminal")
  private var sources: [any DispatchSourceProtocol] = []
  /// Fires if nothing has followed an escape for long enough.
  private var patience: (any DispatchSourceTimer)?

  /// Starts watching.
  ///
  /// When this has returned, a signal no longer has its default effect.
  ///
  /// - Parameter input: The file descriptor of the keys.
  package init(input: Int32) async {
    (events, continuation) = AsyncStream.makeStream()
    watchKeys(input)
    watchSignals(CaughtSignals.begin())
    for source in sources {
      // Activation alone returns before the system has registered the source.
      await withCheckedContinuation { registered in
        source.setRegistrationHandler { registered.resume() }
        source.activate()
      }
    }
  }

  /// Ends the events, and releases the descriptor and the signals.
  package func stop() {
    CaughtSignals.end()
    for source in sources { source.cancel() }
    patience?.cancel()
    continuation.finish()
  }

  /// Opens the terminal of a descriptor once more, so that reading from it never waits.
  ///
  /// What makes a source fire may be gone when it is read: the shell has read it, or the program has thrown
  /// it away as it took the terminal back. A read that waits would hold up all events until the next
  /// key. The descriptor itself may belong to other programs too, so it stays as it is.
  ///
  /// - Returns: The new descriptor, or `nil` for what is no terminal, or may not be opened again.
  private static func reopen(_ input: Int32) -> Int32? {
    let flags = O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    var name = [CChar](repeating: 0, count: 1024)
    if ttyname_r(input, &name, name.count) == 0 {
      let descriptor = open(name, flags)
      if descriptor >= 0 { return descriptor }
    }
    #if !canImport(Darwin)
    // By this name a session may open its terminal also if that is of another user, as after `su`, or from
    // outside of a container. Darwin cannot watch it by this name.
    if tcgetsid(input) >= 0 {
      let descriptor = open("/dev/tty", flags)
      if descriptor >= 0 { return descriptor }
    }
    #endif
    return nil
  }

  /// Whether nothing will ever come from a descriptor from which nothing has come now.
  ///
  /// A terminal whose other end has been closed is none any more on Linux. On Darwin it still has its modes, and
  /// each read of it returns at once.
  private static func isClosed(_ input: Int32) -> Bool {
    var request = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    return isatty(input) == 0
      || poll(&request, 1, 0) > 0 && request.revents & Int16(POLLHUP) != 0
  }

  private func watchKeys(_ terminal: Int32) {
    let opened = Self.reopen(terminal)
    let input = opened ?? terminal
    let source = DispatchSource.makeReadSource(fileDescriptor: input, queue: queue)
    if let opened { source.setCancelHandler { close(opened) } }
    let patience = DispatchSource.makeTimerSource(queue: queue)
    var parser = KeyParser()
    var buffer = [UInt8](repeating: 0, count: 256)
    patience.setEventHandler { [continuation] in
      if let key = parser.flush() { continuation.yield(.key(key)) }
    }
    source.setEventHandler { [continuation] in
      // In the background of a shell, this stops the program; otherwise reading would fail.
      let count = CaughtSignals.withDefaultEffect(of: [SIGTTIN]) {
        read(input, &buffer, buffer.count)
      }
      if count > 0 {
        for key in parser.keys(in: buffer.prefix(count)) { continuation.yield(.key(key)) }
        patience.schedule(deadline: parser.isUndecided ? .now() + Self.escapeTime : .distantFuture)
      } else if count < 0 ? errno != EINTR && errno != EAGAIN : Self.isClosed(input) {
        // The other end has been closed. Nothing comes from an open terminal, too, if Ctrl-D was typed
        // while the terminal gave whole lines to another program: before this one had it, or while it paused.
        continuation.yield(.endRequested(signal: SIGHUP))
        source.cancel()
      }
    }
    sources.append(source)
    // It is not waited for yet, so it need not be registered before the events begin.
    patience.schedule(deadline: .distantFuture)
    patience.activate()
    self.patience = patience
  }

  private func watchSignals(_ reader: Int32) {
    guard reader >= 0 else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: reader, queue: queue)
    source.setEventHandler { [continuation] in
      var number: UInt8 = 0
      while read(reader, &number, 1) > 0 {
        continuation.yield(TerminalEvent(signal: Int32(number)))
      }
    }
    sources.append(source)
  }
}

extension TerminalEvent {
  /// The event of a signal.
  fileprivate init(signal: Int32) {
    self =
      switch signal {
      case SIGWINCH: .resized
      case SIGTSTP: .pauseRequested
      case SIGCONT: .resumed
      default: .endRequested(signal: signal)
      }
  }
}
