// error: cannot convert value of type 'Int' to expected element type 'Note'
import Diffable

private struct Note: Identifiable, Equatable {
  let id: Int
}

private func add(_ note: Note, to source: ModelSource<String, Note>) async throws {
  try await source.update { try $0.appendItems([note.id], toSection: "Inbox") }
}
