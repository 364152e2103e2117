// error: call can throw, but it is not marked with 'try' and the error is not handled
import Diffable

private func edit(_ source: DataSourceActor<String, Int>) async throws {
  try await source.update { snapshot in
    snapshot.appendSections(["Inbox"])
    snapshot.appendItems([1])
  }
}
