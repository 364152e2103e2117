// error: mutable capture of 'inout' parameter 'snapshot' is not allowed in concurrently-executing code
import Diffable

private func edit(_ source: DataSourceActor<String, Int>) async throws {
  let later: @Sendable () -> Void = try await source.update { snapshot in
    return { snapshot.deleteAllItems() }
  }.value
  later()
}
