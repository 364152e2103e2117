extension ListQuery {
  /// Leaves out rows whose time has passed.
  ///
  /// A row goes by itself when its time comes, as long as somebody follows. If nobody does, it is gone
  /// when somebody asks again. A row that is given a later time stays, or comes again.
  ///
  /// - Parameters:
  ///   - id: Equal in two queries that leave out the same rows; `nil` if no other does.
  ///   - clock: What time it is; a test can pass a clock that it moves itself.
  ///   - deadline: From when on the row of an element is left out; `nil` for never.
  /// - Complexity: O(n · log n) for n rows when the query is set, O(log n) for each row that changes
  ///   or expires afterwards.
  @inlinable public func expiring<C: Clock>(
    id: (any Hashable & Sendable)? = nil, clock: C = ContinuousClock(),
    at deadline: @escaping @Sendable (Output.Element) -> C.Instant?
  ) -> ListQuery where C.Duration == Duration {
    expiring(ExpiryRule(clock, deadline), id: id)
  }

  @usableFromInline func expiring(
    _ expiry: ExpiryRule, id: (any Hashable & Sendable)?
  ) -> ListQuery {
    adding { rules in
      rules.expiry = expiry
      rules.identity = .named(.expiry, id)
    }
  }
}
