// error: 'map(id:_:)' is unavailable: a row keeps its identifier: 'map' must return a model with the same type of 'id'
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
  _ = notes.derived { $0.map { Line(id: $0.title) } }
}
