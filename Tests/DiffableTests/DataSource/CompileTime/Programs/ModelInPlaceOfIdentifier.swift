// error: cannot convert value of type 'Note' to expected argument type 'Int'
// error: type 'Note' does not conform to protocol 'Hashable'
import Diffable

private struct Note: Identifiable, Equatable {
  let id: Int
  var title = ""
}

private func rename(_ note: Note, in source: ModelSource<String, Note>) async throws {
  try await source.update { draft in
    try draft.update(note) { $0.title = "new" }
  }
}

private func source() -> DataSourceActor<String, Note> {
  DataSourceActor<String, Note>()
}
