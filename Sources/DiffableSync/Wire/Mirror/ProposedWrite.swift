public import Diffable

/// A change of an ``EditableMirror`` that the owner of the list has not made yet.
public struct ProposedWrite<Batch: DeltaBatch>: Sendable {
  /// What became of the change.
  public enum Outcome: Sendable {
    /// The owner has made it, and the mirror shows it.
    case accepted(ProposalAcceptance<Batch>)
    /// The owner has refused it, and it is no longer shown.
    case refused(Refusal)
    /// The user has taken it back before it was sent.
    case withdrawn
    /// It makes no sense on what others have made of the list, or the mirror has finished.
    case failed(any Error)
  }

  /// The name of its proposal.
  public let id: WriteID
  let promise: Promise<Outcome>

  /// The outcome; waits until it is known.
  ///
  /// Cancellation does not end the wait, which lasts as long as the owner cannot be reached.
  public var outcome: Outcome {
    get async { await promise.value }
  }
}
