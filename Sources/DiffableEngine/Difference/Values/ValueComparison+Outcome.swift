extension ValueComparison {
  /// The outcome of comparing two values that may not be valid.
  package enum Outcome {
    case oldIsTwice
    case newIsTwice
    case compared(ValueComparison)
  }

  /// Compares two values, and proves that no element appears twice in either.
  ///
  /// - Parameters:
  ///   - oldIsUnique: Whether that is known for the old value; then all its hashes are known too.
  ///   - newIsUnique: The same for the new value.
  ///   - pairs: Runs of columns; each column is compared with its partner.
  package static func compare(
    _ old: ValueSide, isUnique oldIsUnique: Bool, _ new: ValueSide, isUnique newIsUnique: Bool,
    pairs: [MatchedRun]
  ) -> Outcome {
    guard oldIsUnique || old.isUnique() else { return .oldIsTwice }
    let comparison = ValueComparison(old: old, new: new, pairs: pairs)
    guard newIsUnique || comparison.isNewUnique() else { return .newIsTwice }
    return .compared(comparison)
  }

  /// Adds the changes of the lists to the changes of their sections.
  package func addChanges(to correspondence: inout Correspondence) {
    for pair in pairs {
      let matched = pair.runs.reduce(0) { $0 + $1.count }
      guard
        pair.runs.count > 1 || matched < old.columns[pair.old].count
          || matched < new.columns[pair.new].count
      else { continue }
      correspondence.changed.append(
        .init(
          old: pair.old, new: pair.new, runs: pair.runs, deletes: pair.departures,
          inserts: pair.arrivals))
    }
    correspondence.migrations = migrations
  }
}
