// compiles
import Diffable

nonisolated struct Heading: Equatable {
  var title: String
  var unread = 0
}

// A type that adopts a protocol of the library that is `Sendable` is nonisolated by itself.
enum Folder: ModelledSection {
  typealias SectionModel = Heading
  case inbox, archive
}

struct Card: ChangeDescribing {
  let id: Int
  var text: String

  func change(since old: Card) -> Bool { text != old.text }
}

final class Board {
  let source = ModelSource<Folder, Card>(dropHandler: { card, folder in
    card.text += folder == .archive ? " (archived)" : ""
  })
  var headings: [Folder: Heading] = [:]

  func load(_ cards: [Card]) async throws {
    try await source.apply(
      cards, section: { $0.id < 10 ? .inbox : .archive },
      sections: [(.inbox, Heading(title: "Inbox")), (.archive, Heading(title: "Archive"))])
    try await source.setSectionModel(Heading(title: "Inbox", unread: 1), for: .inbox)
  }

  func follow() async {
    for await batch in source.updates() {
      headings.merge(batch.sectionModels) { $1 }
      if batch.change(of: 1) == true { headings[.inbox]?.unread += 1 }
    }
  }
}
