// error: escaping closure captures 'inout' parameter 'snapshot'
import Diffable

private func edit(_ source: DataSourceActor<String, Int>) async throws {
  try await source.update { snapshot in
    Task { snapshot.deleteAllItems() }
  }
}
