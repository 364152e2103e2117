/// What an enqueued snapshot will come to.
///
/// Every ticket is answered, once, whatever happens to the source. Forgetting it costs nothing.
public struct Ticket: Sendable {
  /// What became of an enqueued snapshot.
  public enum Outcome: Hashable, Sendable {
    /// It was applied and made a revision.
    case applied(Revision)
    /// It was what the source showed already.
    case unchanged
    /// A newer snapshot was enqueued before its turn came.
    case superseded
    /// It was refused, and nothing was changed.
    case rejected(DataSourceError)
  }

  let promise: Promise<Outcome>

  /// What became of the snapshot; waits until that is known.
  ///
  /// Cancellation does not end the wait. It is short: as long as the writes before this one take,
  /// and its own.
  public var outcome: Outcome {
    get async { await promise.value }
  }
}
