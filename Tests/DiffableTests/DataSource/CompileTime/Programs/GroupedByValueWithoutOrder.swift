// error: 'grouped(id:by:reverse:)' is unavailable: the sections have no order of their own: add 'order: { … }', or make them 'Comparable'
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
  _ = notes.derived { $0.grouped(by: \.kind) }
}
