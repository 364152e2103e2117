import Dispatch
import Foundation

/// An event for a program in a terminal.
public enum TerminalEvent: Equatable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// The size of the terminal has changed.
  case resized
  /// The program is asked to pause (Ctrl-Z).
  case pauseRequested
  /// The program is asked to end, by this signal.
  case endRequested(signal: Int32)
}

/// Turns keys and signals into events, until it is stopped.
///
/// Everything runs on one queue; the key parser and its buffer belong to it.
public final class TerminalWatch {
  private static let endingSignals = [SIGINT, SIGTERM, SIGHUP]
  /// The maximum time between an escape and the rest of a sequence.
  private static let escapeTime = DispatchTimeInterval.milliseconds(50)

  /// The events, until ``stop()`` is called.
  public let events: AsyncStream<TerminalEvent>
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
  public init(input: Int32) async {
    (events, continuation) = AsyncStream.makeStream()
    watchKeys(input)
    watchSignal(SIGWINCH, .resized)
    watchSignal(SIGTSTP, .pauseRequested)
    for number in Self.endingSignals {
      watchSignal(number, .endRequested(signal: number))
    }
    for source in sources {
      // Activation alone returns before the system has registered the source.
      await withCheckedContinuation { registered in
        source.setRegistrationHandler { registered.resume() }
        source.activate()
      }
    }
  }

  /// Ends the events, and releases the descriptor.
  public func stop() {
    for source in sources { source.cancel() }
    patience?.cancel()
    continuation.finish()
  }

  private func watchKeys(_ input: Int32) {
    let source = DispatchSource.makeReadSource(fileDescriptor: input, queue: queue)
    let patience = DispatchSource.makeTimerSource(queue: queue)
    var parser = KeyParser()
    var buffer = [UInt8](repeating: 0, count: 256)
    patience.setEventHandler { [continuation] in
      if let key = parser.flush() { continuation.yield(.key(key)) }
    }
    source.setEventHandler { [continuation] in
      let count = read(input, &buffer, buffer.count)
      if count > 0 {
        for key in parser.keys(in: buffer.prefix(count)) { continuation.yield(.key(key)) }
        patience.schedule(deadline: parser.isUndecided ? .now() + Self.escapeTime : .distantFuture)
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        // The other end has been closed.
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

  private func watchSignal(_ number: Int32, _ event: TerminalEvent) {
    #if canImport(Darwin)
    // On this system a source receives only what the default action leaves over.
    signal(number, SIG_IGN)
    #endif
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler { [continuation] in _ = continuation.yield(event) }
    sources.append(source)
  }
}
