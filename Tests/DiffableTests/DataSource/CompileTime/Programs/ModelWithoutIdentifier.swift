// error: type 'Note' does not conform to protocol 'Identifiable'
import Diffable

struct Note: Equatable {
  let number: Int
}

let source = ModelSource<String, Note>()
