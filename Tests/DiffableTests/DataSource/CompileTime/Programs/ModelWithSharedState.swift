// error: type 'Note' does not conform to the 'Sendable' protocol
import Diffable

final class Note: Identifiable, Equatable {
  let id = 1
  var title = ""

  static func == (left: Note, right: Note) -> Bool { left.title == right.title }
}

func source() -> ModelSource<String, Note> {
  ModelSource<String, Note>()
}
