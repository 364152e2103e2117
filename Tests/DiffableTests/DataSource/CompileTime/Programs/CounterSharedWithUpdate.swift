// error: sending 'counter' risks causing data races
import Diffable

private final class Counter {
  var count = 0
}

private func edit(_ source: DataSourceActor<String, Int>) async throws {
  let counter = Counter()
  async let revision = source.update { _ in counter.count += 1 }
  counter.count += 1
  _ = try await revision
}
