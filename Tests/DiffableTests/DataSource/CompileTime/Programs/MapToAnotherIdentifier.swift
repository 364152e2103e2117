// error: 'map(id:_:)' is unavailable: a row keeps its identifier: 'map' must return a model with the same type of 'id'
import Diffable
import DiffableQueries

private enum Kind { case letter, list }

private struct Note: Identifiable, Equatable {
  let id: Int
  var title: String
  var kind: Kind
}

private struct Line: Identifiable, Equatable {
  let id: String
}

private func show(_ notes: ModelSource<String, Note>) {
  _ = notes.derived { $0.map { Line(id: $0.title) } }
}
