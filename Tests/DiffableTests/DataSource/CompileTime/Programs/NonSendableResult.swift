// error: type 'Counter' does not conform to the 'Sendable' protocol
import Diffable

private final class Counter {
  var count = 0
}

@MainActor private enum Kept {
  static var counter = Counter()
}

@MainActor private func edit(_ source: DataSourceActor<String, Int>) async throws {
  let counter = Kept.counter
  _ = try await source.update { snapshot -> Counter in
    counter.count = snapshot.numberOfItems
    return counter
  }
  Kept.counter.count += 1
}
