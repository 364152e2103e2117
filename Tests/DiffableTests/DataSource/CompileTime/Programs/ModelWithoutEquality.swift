// error: type 'Note' does not conform to protocol 'Equatable'
import Diffable

private struct Note: Identifiable {
  let id: Int
}

private let source = ModelSource<String, Note>()
