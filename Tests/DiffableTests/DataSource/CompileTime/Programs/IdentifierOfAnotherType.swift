// error: cannot convert value of type 'String' to expected element type 'Int'
// error: type 'String' has no member 'main'
import Diffable

private func edit(_ source: DataSourceActor<String, Int>) async throws {
  try await source.update { try $0.appendItems(["one"]) }
  try await source.update { $0.appendSections([.main]) }
}
