// error: 'sorted(id:by:reverse:)' is unavailable: the values have no order of their own: compare two elements, as in 'sorted { … }'
import Diffable
import DiffableQueries

enum Kind { case letter, list }

struct Note: Identifiable, Equatable {
  let id: Int
  var title: String
  var kind: Kind
}

struct Line: Identifiable, Equatable {
  let id: String
}

func show(_ notes: ModelSource<String, Note>) {
  _ = notes.derived { $0.sorted(by: \.kind) }
}
