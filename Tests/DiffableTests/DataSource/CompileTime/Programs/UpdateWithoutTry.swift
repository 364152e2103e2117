// error: call can throw but is not marked with 'try'
import Diffable

private func edit(_ source: DataSourceActor<String, Int>) async throws {
  await source.update { $0.appendSections(["Inbox"]) }
}
