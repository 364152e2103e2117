// error: type 'Note' does not conform to the 'Sendable' protocol
import Diffable

private final class Note: Identifiable, Equatable {
  let id = 1
  var title = ""

  static func == (left: Note, right: Note) -> Bool { left.title == right.title }
}

private func source() -> ModelSource<String, Note> {
  ModelSource<String, Note>()
}
