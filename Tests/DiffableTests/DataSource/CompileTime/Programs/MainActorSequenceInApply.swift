// error: main actor-isolated conformance of 'Rows' to 'Sequence' cannot satisfy conformance requirement for a 'Sendable' type parameter
import Diffable

private struct Note: Identifiable, Equatable {
  let id: Int
}

@MainActor private final class Rows: @MainActor Sequence {
  var rows: [Note] = []
  func makeIterator() -> IndexingIterator<[Note]> { rows.makeIterator() }
}

@MainActor private func show(_ rows: Rows, in source: ModelSource<String, Note>) async throws {
  try await source.apply(rows, section: { _ in "all" })
}
