// error: call to actor-isolated instance method 'apply(_:presentation:ifRevision:)' in a synchronous nonisolated context
import Diffable

private func edit(_ source: DataSourceActor<String, Int>) async throws {
  try await source.update { snapshot in
    try source.apply(snapshot)
  }
}
