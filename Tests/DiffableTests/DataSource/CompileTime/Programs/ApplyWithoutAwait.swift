// error: call to actor-isolated instance method 'apply(_:presentation:ifRevision:)' in a synchronous nonisolated context
import Diffable

private func show(_ source: DataSourceActor<String, Int>) throws {
  try source.apply(Snapshot())
}
