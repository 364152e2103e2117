// compiles
import Diffable
import DiffableViews
import Observation

nonisolated struct Memo: Identifiable, Equatable {
  let id: Int
  var title: String
}

@Observable final class Inbox {
  let list = ObservableList<String, Memo.ID>()
  @ObservationIgnored let source = ModelSource<String, Memo>()
  var sum = 0

  func open() {
    list.start(following: source)
  }

  var titles: [String] {
    list.sections.flatMap { section in
      section.items.compactMap { list.model(for: $0, as: Memo.self)?.title }
    }
  }

  func add(_ memo: Memo) async throws {
    let revision = try await source.update { try $0.upsertItems([memo], toSection: "Inbox") }
      .revision
    await list.displayed(revision)
    sum += list.sections.count
  }
}
