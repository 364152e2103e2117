// error: cannot convert value of type 'Int' to expected argument type 'Revision'
import Diffable

private func show(_ source: DataSourceActor<String, Int>) async throws {
  try await source.apply(Snapshot(), ifRevision: 3)
}
