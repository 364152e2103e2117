extension Adoption {
  /// What is found out of the array: an ``OrderMatching``, but for the elements themselves.
  struct Matching {
    var runs: [MatchedRun] = []
    var stays: [Bool]?
    var departures: [Range<Int>] = []
    /// By index in the array.
    var arrivals: [Int] = []
    var inserts: [Range<Int>] = []
    var changes: IdentityChanges? = IdentityChanges()
  }
}
