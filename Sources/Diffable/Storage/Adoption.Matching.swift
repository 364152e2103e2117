extension Adoption {
  /// What is found out of the array: an ``OrderMatching``, but for the elements themselves.
  @usableFromInline struct Matching {
    @usableFromInline var runs: [MatchedRun] = []
    @usableFromInline var stays: [Bool]?
    @usableFromInline var departures: [Range<Int>] = []
    /// By index in the array.
    @usableFromInline var arrivals: [Int] = []
    @usableFromInline var inserts: [Range<Int>] = []
    @usableFromInline var changes: IdentityChanges? = IdentityChanges()
  }
}
