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
