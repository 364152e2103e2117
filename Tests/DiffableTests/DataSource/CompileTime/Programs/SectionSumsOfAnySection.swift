// error: 'sectionModels(id:_:_:)' is unavailable: the type of a section names the type of its model: group by a type that conforms to 'ModelledSection'
import Diffable
import DiffableQueries

private struct Note: Identifiable, Equatable {
  let id: Int
  var day: Int
}

private func days(of notes: ModelSource<String, Note>) {
  _ = notes.derived {
    $0.grouped(by: \.day).sectionModels(.sum(of: \.id)) { "\($0): \($1), \($2)" }
  }
}
