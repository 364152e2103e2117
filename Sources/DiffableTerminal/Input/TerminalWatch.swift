import Dispatch
import Foundation

/// What can happen to a program in a terminal, apart from its own work.
public enum TerminalEvent: Equatable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// The terminal has another size.
  case resized
  /// Somebody wants the program to pause (Ctrl-Z).
  case pauseRequested
  /// Somebody wants the program to end, with this signal.
  case endRequested(signal: Int32)
}

/// Turns keys and signals into events, until it is stopped.
///
/// Everything runs on one queue; the key parser and its buffer belong to it.
public final class TerminalWatch {
  private static let endingSignals = [SIGINT, SIGTERM, SIGHUP]
  /// How long what follows an escape may take, where it is the first byte of a sequence.
  private static let escapeTime = DispatchTimeInterval.milliseconds(50)

  /// What happens, until ``stop()`` is called.
  public let events: AsyncStream<TerminalEvent>
  private let continuation: AsyncStream<TerminalEvent>.Continuation
  private let queue = DispatchQueue(label: "diffable.terminal")
  private var sources: [any DispatchSourceProtocol] = []
  /// Fires when nothing has followed an escape for long enough.
  private var patience: (any DispatchSourceTimer)?

  /// Begins to watch.
  ///
  /// A signal that arrives after this has returned no longer does what it does by default.
  ///
  /// - Parameter input: The descriptor that keys come from.
  public init(input: Int32) async {
    (events, continuation) = AsyncStream.makeStream()
    watchKeys(input)
    watchSignal(SIGWINCH, .resized)
    watchSignal(SIGTSTP, .pauseRequested)
    for number in Self.endingSignals {
      watchSignal(number, .endRequested(signal: number))
    }
    for source in sources {
      // Activation alone returns before the system knows of the source.
      await withCheckedContinuation { registered in
        source.setRegistrationHandler { registered.resume() }
        source.activate()
      }
    }
  }

  /// Ends the events, and gives back the descriptor.
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
        // Nobody is at the other end.
        continuation.yield(.endRequested(signal: SIGHUP))
        source.cancel()
      }
    }
    sources.append(source)
    // Nobody waits for it yet, so it need not be registered before the events begin.
    patience.schedule(deadline: .distantFuture)
    patience.activate()
    self.patience = patience
  }

  private func watchSignal(_ number: Int32, _ event: TerminalEvent) {
    #if canImport(Darwin)
    // There a source sees only what the default action has left over.
    signal(number, SIG_IGN)
    #endif
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler { [continuation] in _ = continuation.yield(event) }
    sources.append(source)
  }
}
