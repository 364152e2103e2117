public import Diffable

/// Sends the proposals of an edited list, one after another, with pauses while nobody answers.
///
/// The tasks do not hold the mirror while they wait.
final class ProposalSender<Batch: DeltaBatch>: Sendable {
  private let signals: AsyncStream<Void>.Continuation
  private let task: Task<Void, Never>

  init(
    _ mirror: MirrorSource<Batch>, _ options: ProposalOptions,
    _ send: @escaping @Sendable (Proposal<Batch>) async throws -> ProposalAnswer<Batch>,
    _ failure: @escaping @Sendable (any Error) -> Void
  ) {
    let (stream, signals) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    // Detached: it sends the changes of all, and the first must not pass on its priority or its
    // task-local values.
    task = Task.detached { [weak mirror] in
      var pause = Backoff(first: options.pause, longest: options.longestPause)
      for await _ in stream {
        // Another sender may have taken its place while it waited for an answer.
        while !Task.isCancelled, let proposal = await mirror?.nextProposal() {
          do {
            let answer = try await send(proposal)
            pause.failures = 0
            await mirror?.receive(answer, for: proposal.id)
          } catch {
            await mirror?.fail(proposal.id)
            guard !Task.isCancelled else { return }
            failure(error)
            pause.failures += 1
            guard (try? await options.source.clock.sleep(for: pause.duration())) != nil else {
              return
            }
          }
        }
      }
    }
    wake()
  }

  /// Looks whether there is something to send.
  func wake() { signals.yield() }

  func finish() {
    signals.finish()
    task.cancel()
  }

  deinit { finish() }
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
  /// Up to half of a pause is dropped at random, so that clients do not all send at once.
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
