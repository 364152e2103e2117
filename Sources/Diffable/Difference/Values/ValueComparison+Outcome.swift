extension ValueComparison {
  /// What comes of comparing two values that may not be valid.
  enum Outcome {
    case oldIsTwice
    case newIsTwice
    case compared(ValueComparison)
  }

  /// Compares two values, and proves that in neither an element appears twice.
  ///
  /// - Parameters:
  ///   - oldIsUnique: Whether that is known of the old one; then all its hashes are, too.
  ///   - newIsUnique: The same of the new one.
  ///   - pairs: Runs of columns, of which each is compared with its partner.
  static func compare(
    _ old: ValueSide, isUnique oldIsUnique: Bool, _ new: ValueSide, isUnique newIsUnique: Bool,
    pairs: [MatchedRun]
  ) -> Outcome {
    guard oldIsUnique || old.isUnique() else { return .oldIsTwice }
    let comparison = ValueComparison(old: old, new: new, pairs: pairs)
    guard newIsUnique || comparison.isNewUnique() else { return .newIsTwice }
    return .compared(comparison)
  }

  /// Adds what became of the lists to what became of the sections that they are.
  func addChanges(to correspondence: inout Correspondence) {
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
