// compiles
import Diffable

private struct Note: Identifiable, Equatable {
  let id: Int
}

@MainActor private final class Rows: @MainActor Sequence {
  var rows: [Note] = []
  func makeIterator() -> IndexingIterator<[Note]> { rows.makeIterator() }
}

// Its rows are copied where they may be read.
@MainActor private func show(_ rows: Rows, in source: ModelSource<String, Note>) async throws {
  try await source.apply(Array(rows), section: { _ in "all" })
}
