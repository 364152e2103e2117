// error: 'prefix(id:ofEachSection:_:)' is unavailable: the type of a section names the type of its model: group by a type that conforms to 'ModelledSection'
import Diffable
import DiffableQueries

private struct Note: Identifiable, Equatable {
  let id: Int
  var day: Int
}

private func days(of notes: ModelSource<String, Note>) {
  _ = notes.derived { query in
    query.grouped(by: \.day)
      .prefix(ofEachSection: 3) { (day: Int, title: String?, more: Int) in "\(day): \(more) more" }
  }
}
