package import Synchronization

/// Counts what is asked of identifiers, for one test at a time.
package final class IdentifierCounter: Sendable {
  package let comparisons = Atomic(0)
  package let hashes = Atomic(0)

  package init() {}

  package var comparisonCount: Int { comparisons.load(ordering: .relaxed) }
  package var hashCount: Int { hashes.load(ordering: .relaxed) }

  package func reset() {
    comparisons.store(0, ordering: .relaxed)
    hashes.store(0, ordering: .relaxed)
  }
}

/// An identifier that tells its counter whenever it is compared or hashed.
package struct CountedIdentifier: Hashable, Sendable {
  package let number: Int
  package let counter: IdentifierCounter

  package init(number: Int, counter: IdentifierCounter) {
    (self.number, self.counter) = (number, counter)
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.counter.comparisons.add(1, ordering: .relaxed)
    return left.number == right.number
  }

  package func hash(into hasher: inout Hasher) {
    counter.hashes.add(1, ordering: .relaxed)
    hasher.combine(number)
  }
}
