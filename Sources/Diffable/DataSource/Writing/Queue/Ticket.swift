/// The future outcome of an enqueued snapshot.
///
/// Every ticket gets an outcome, once, whatever happens to the source. Discarding a ticket costs
/// nothing.
public struct Ticket: Sendable {
  /// The outcome of an enqueued snapshot.
  public enum Outcome: Hashable, Sendable {
    /// It was applied and made a revision.
    case applied(Revision)
    /// It equals the state that the source already had.
    case unchanged
    /// A newer snapshot was enqueued before its turn came, and has taken over its marks.
    case superseded
    /// It was rejected, and nothing changed.
    case rejected(DataSourceError)
  }

  let promise: Promise<Outcome>

  /// The outcome of the snapshot; waits until it is known.
  ///
  /// Cancellation does not end the wait. It is short: as long as the writes before this one take,
  /// and its own.
  public var outcome: Outcome {
    get async { await promise.value }
  }
}
