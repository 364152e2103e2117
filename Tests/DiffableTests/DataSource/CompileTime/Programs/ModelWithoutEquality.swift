// error: type 'Note' does not conform to protocol 'Equatable'
import Diffable

struct Note: Identifiable {
  let id: Int
}

let source = ModelSource<String, Note>()
