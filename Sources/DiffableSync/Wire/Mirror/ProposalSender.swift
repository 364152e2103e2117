public import Diffable

/// Sends the proposals of an edited list, one after another, with pauses while nobody answers.
///
/// The tasks do not hold the mirror while they wait.
final class ProposalSender<Batch: DeltaBatch>: Sendable {
  private let signals: AsyncStream<Void>.Continuation
  private let rest: Rest
  private let task: Task<Void, Never>

  init(
    _ mirror: MirrorSource<Batch>, _ options: ProposalOptions,
    _ send: @escaping @Sendable (Proposal<Batch>) async throws -> ProposalAnswer<Batch>,
    _ failure: @escaping @Sendable (any Error) -> Void
  ) {
    let (stream, signals) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let (rest, clock) = (Rest(), options.source.clock)
    (self.signals, self.rest) = (signals, rest)
    // Detached: it sends the changes of all, and the first must not pass on its priority or its
    // task-local values.
    task = Task.detached { [weak mirror] in
      var pause = Backoff(first: options.pause, longest: options.longestPause)
      for await _ in stream {
        // Another sender may have taken its place while it waited for an answer.
        while !Task.isCancelled, let proposal = await mirror?.nextProposal() {
          rest.renew()
          do {
            let answer = try await send(proposal)
            pause.failures = 0
            await mirror?.receive(answer, for: proposal.id)
          } catch {
            await mirror?.fail(proposal.id)
            guard !Task.isCancelled else { return }
            failure(error)
            pause.failures += 1
            await rest.wait(for: pause.duration(), clock)
          }
        }
      }
    }
    wake()
  }

  /// Looks whether there is something to send.
  func wake() { signals.yield() }

  /// Ends the pause after a failure, also of an attempt that is under way: the owner can be reached.
  func hurry() { rest.end() }

  func finish() {
    signals.finish()
    task.cancel()
  }

  deinit { finish() }
}

/// A pause that somebody else can end, also before it begins.
private final class Rest: Sendable {
  private struct State {
    var sleeping: Task<Void, Never>?
    var isEnded = false
  }

  private let state = Lock(State())

  /// Forgets that it was ended.
  func renew() { state.withLock { $0.isEnded = false } }

  /// Waits until the time is over, the pause is ended, or the task is cancelled.
  func wait(for time: Duration, _ clock: any Clock<Duration>) async {
    let sleep = Task { _ = try? await clock.sleep(for: time) }
    if remember(sleep) { sleep.cancel() }
    await withTaskCancellationHandler {
      await sleep.value
    } onCancel: {
      sleep.cancel()
    }
    remember(nil)
  }

  func end() {
    let sleep = state.withLock { state in
      state.isEnded = true
      return state.sleeping
    }
    sleep?.cancel()
  }

  /// - Returns: Whether the pause was ended already.
  @discardableResult
  private func remember(_ sleep: Task<Void, Never>?) -> Bool {
    let (former, isEnded) = state.withLock { state in
      defer { state.sleeping = sleep }
      return (state.sleeping, state.isEnded)
    }
    withExtendedLifetime(former) {}
    return isEnded
  }
}

extension MirrorSource {
  fileprivate func nextProposal() -> Proposal<Batch>? { edited?.next() }

  fileprivate func receive(_ answer: ProposalAnswer<Batch>, for id: WriteID) {
    edited?.receive(answer, for: id)
    sender?.wake()
  }

  fileprivate func fail(_ id: WriteID) {
    edited?.fail(id)
    sender?.wake()
  }
}

/// How an ``EditableMirror`` sends its changes.
public struct ProposalOptions: Sendable {
  /// The first pause after a change could not be sent; each failure in a row doubles it.
  ///
  /// Up to half of a pause is dropped at random, so that clients do not all send at once. When the mirror connects
  /// to the owner, the pause ends.
  public var pause: Duration
  /// The longest pause.
  public var longestPause: Duration
  /// The options of the list that the user edits; the pauses are of its clock.
  public var source: SourceOptions

  /// Creates options.
  ///
  /// - Parameters:
  ///   - pause: The first pause: one second by default.
  ///   - longestPause: The longest pause: 30 seconds by default.
  ///   - source: The options of the list that the user edits.
  public init(
    pause: Duration = .seconds(1), longestPause: Duration = .seconds(30),
    source: SourceOptions = SourceOptions()
  ) {
    (self.pause, self.longestPause, self.source) = (pause, longestPause, source)
  }
}
