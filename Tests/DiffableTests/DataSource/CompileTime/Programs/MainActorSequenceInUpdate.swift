// error: main actor-isolated conformance of 'Rows' to 'Sequence' cannot satisfy conformance requirement for a 'Sendable' type parameter
import Diffable

@MainActor private final class Rows: @MainActor Sequence {
  var rows: [Int] = []
  func makeIterator() -> IndexingIterator<[Int]> { rows.makeIterator() }
}

@MainActor private func show(_ rows: Rows, in source: DataSourceActor<String, Int>) async throws {
  try await source.update { try $0.appendItems(rows, toSection: "all") }
}
