// error: 'update(named:presentation:_:)' is unavailable: an edit cannot wait, since no other write may come in between; await first, then edit
import Diffable

private func edit(_ source: DataSourceActor<String, Int>) async throws {
  try await source.update { snapshot in
    try await source.apply(snapshot)
  }
}
