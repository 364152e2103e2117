// error: call to actor-isolated instance method 'setModel(_:presentation:)' in a synchronous nonisolated context
import Diffable

private struct Note: Identifiable, Equatable {
  let id: Int
}

private func edit(_ source: ModelSource<String, Note>) async throws {
  try await source.update { _ in
    try source.setModel(Note(id: 1))
  }
}
