import Diffable

extension DifferenceLaw {
  /// Compares each identifier with itself and with every other.
  ///
  /// Use it for values that are equal but were made in different ways, for example read from a file
  /// and from a server.
  ///
  /// - Complexity: O(n²) comparisons for n identifiers.
  /// - Returns: A violation of ``identity`` for each value and each pair that breaks it.
  public static func identityViolations<ID: Hashable & Sendable>(among identifiers: [ID])
    -> [LawViolation<DifferenceLaw>]
  {
    var violations = identifiers.flatMap(identityViolations(of:))
    for (index, left) in identifiers.enumerated() {
      for right in identifiers[(index + 1)...] {
        violations += identityViolations(left, right)
        if (left == right) != (right == left) {
          violations.append(
            LawViolation(.identity, "“\(left)” equals “\(right)”, but not the other way round."))
        }
      }
    }
    return violations
  }

  /// Compares each identifier with itself and with the one at the same place of the other snapshot.
  static func identityViolations<SectionID, ItemID>(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>
  ) -> [LawViolation<DifferenceLaw>] {
    func violations<ID: Hashable & Sendable>(_ old: [ID], _ new: [ID]) -> [LawViolation<
      DifferenceLaw
    >] {
      (old + new).flatMap(identityViolations(of:))
        + zip(old, new).flatMap { identityViolations($0, $1) }
    }
    return violations(old.sectionIdentifiers, new.sectionIdentifiers)
      + violations(old.itemIdentifiers, new.itemIdentifiers)
  }

  private static func identityViolations<ID: Hashable & Sendable>(of value: ID) -> [LawViolation<
    DifferenceLaw
  >] {
    let copy = value
    return value == copy
      ? identityViolations(value, copy)
      : [LawViolation(.identity, "“\(value)” does not equal itself.")]
  }

  private static func identityViolations<ID: Hashable & Sendable>(_ left: ID, _ right: ID)
    -> [LawViolation<DifferenceLaw>]
  {
    guard left == right, left.hashValue != right.hashValue else { return [] }
    return [
      LawViolation(.identity, "“\(left)” and “\(right)” are equal, but their hashes are not.")
    ]
  }
}
