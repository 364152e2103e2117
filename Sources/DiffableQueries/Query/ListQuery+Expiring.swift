public import Diffable

extension ListQuery {
  /// Leaves out rows whose deadline has passed.
  ///
  /// While the source has a subscriber, a row is removed by itself at its deadline. Otherwise it is
  /// removed when a subscriber next requests a batch. A row that gets a later deadline stays, or is
  /// inserted again. A deadline more than a hundred years after the query was made counts as none.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that leave out the same rows; `nil` if it equals no other.
  ///   - clock: The clock of the deadlines. A test can pass a clock that it advances itself.
  ///   - deadline: The time from which on the row of an element is left out; `nil` for never.
  /// - Complexity: O(n · log n) for n rows when the query is set, O(log n) for each row that
  ///   changes or expires afterwards.
  public func expiring<C: Clock>(
    id: (any Hashable & Sendable)? = nil, clock: C = ContinuousClock(),
    at deadline: @escaping @Sendable (Output.Element) -> C.Instant?
  ) -> ListQuery where C.Duration == Duration {
    adding { rules in
      rules.expiry = ExpiryRule(clock, deadline)
      rules.identity = .named(.expiry, id)
    }
  }
}
