// compiles
import Diffable

/// Fills a list and shows its changes; public, so that an optimizer does not leave it out.
public func showList() async throws {
  let source = DataSourceActor<String, Int>()
  try await source.update { $0.appendSections(["Inbox"]) }
  try await source.update { try $0.appendItems([1, 2, 3]) }
  for await batch in source.updates() { print(batch.difference.itemInserts.count) }
}
