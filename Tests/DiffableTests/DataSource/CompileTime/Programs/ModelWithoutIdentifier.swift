// error: type 'Note' does not conform to protocol 'Identifiable'
import Diffable

private struct Note: Equatable {
  let number: Int
}

private let source = ModelSource<String, Note>()
