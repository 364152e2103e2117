// compiles
import Diffable
import DiffableViews
import Observation

nonisolated struct Note: Identifiable, Equatable {
  let id: Int
  var title: String
}

@Observable final class Inbox {
  let list = ObservableList<String, Note.ID>()
  @ObservationIgnored let source = ModelSource<String, Note>()
  var sum = 0

  func open() {
    list.start(following: source)
  }

  var titles: [String] {
    list.sections.flatMap { section in
      section.items.compactMap { list.model(for: $0, as: Note.self)?.title }
    }
  }

  func add(_ note: Note) async throws {
    let revision = try await source.update { try $0.upsertItems([note], toSection: "Inbox") }
    await list.displayed(revision)
    sum += list.sections.count
  }
}
