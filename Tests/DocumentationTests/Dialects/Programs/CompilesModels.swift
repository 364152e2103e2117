// compiles
import Diffable

nonisolated struct Note: Identifiable, Equatable {
  let id: Int
  var folder: String
  var title: String
}

final class Notebook {
  let source = ModelSource<String, Note>()
  var titles: [String] = []
  var failure: String?
  private var following: Task<Void, Never>?

  func load(_ notes: [Note]) async throws {
    try await source.apply(notes, section: \.folder)
  }

  func rename(_ note: Note, to title: String) async {
    do {
      try await source.update(named: "Rename") { draft in
        try draft.update(note.id) { $0.title = title }
      }
    } catch {
      failure = "\(error)"
    }
  }

  func addToInbox(_ titles: [String]) async throws {
    let notes = titles.enumerated().map { Note(id: $0, folder: "Inbox", title: $1) }
    try await source.update { draft in
      if !draft.snapshot.containsSection("Inbox") { draft.appendSections(["Inbox"]) }
      try draft.upsertItems(notes, toSection: "Inbox")
    }
    let count = try await source.update { draft in draft.snapshot.numberOfItems }.value
    if count > 100 { try await source.setModel(Note(id: 0, folder: "Inbox", title: "Full")) }
  }

  func follow() {
    following = Task { [source] in
      for await batch in source.updates() {
        titles = batch.snapshot.itemIdentifiers.compactMap { batch.model(for: $0)?.title }
      }
    }
  }

  func title(of id: Int) async -> String {
    await source.model(for: id)?.title ?? "unknown"
  }
}
