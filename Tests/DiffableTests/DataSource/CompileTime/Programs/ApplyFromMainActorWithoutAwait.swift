// error: call to actor-isolated instance method 'apply(_:presentation:ifRevision:)' in a synchronous main actor-isolated context
import Diffable

@MainActor private func show(_ source: DataSourceActor<String, Int>) throws {
  try source.apply(Snapshot())
}
