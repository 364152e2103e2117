// error: instance method 'grouped(id:by:reverse:)' requires that 'Kind' conform to 'Comparable'
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
