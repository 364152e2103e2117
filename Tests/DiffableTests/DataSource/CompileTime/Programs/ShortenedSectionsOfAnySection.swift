// error: instance method 'prefix(id:ofEachSection:_:)' requires that 'Int' conform to 'ModelledSection'
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
