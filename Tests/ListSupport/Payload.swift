import Synchronization

/// How many values are alive.
package final class PayloadCensus: Sendable {
  fileprivate let count = Atomic(0)

  package init() {}

  package var population: Int { count.load(ordering: .relaxed) }
}

/// A value that is counted as long as it lives.
package final class Payload: Sendable {
  private let census: PayloadCensus

  package init(_ census: PayloadCensus) {
    self.census = census
    census.count.add(1, ordering: .relaxed)
  }

  deinit { census.count.subtract(1, ordering: .relaxed) }
}

/// An element that is counted as long as it lives, and equal by its number.
package struct CountedElement: Hashable, Sendable {
  package let number: Int
  private let payload: Payload

  package init(_ number: Int, _ census: PayloadCensus) {
    (self.number, payload) = (number, Payload(census))
  }

  package static func == (left: CountedElement, right: CountedElement) -> Bool {
    left.number == right.number
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
