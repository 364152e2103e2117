// error: instance method 'sectionModels(id:_:_:)' requires that 'Int' conform to 'ModelledSection'
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
