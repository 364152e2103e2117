import Diffable
import ListSupport

extension ModelSource<Folder, Note> {
  /// A source that shows some notes in their folders.
  static func of(_ notes: [Note]) async throws -> Notes {
    let source = Notes()
    try await source.apply(notes, section: \.folder)
    return source
  }
}

extension [Note] {
  /// Notes whose titles are their identifiers.
  static func titled(_ count: Int) -> [Note] { (0..<count).map { Note(id: $0, title: $0) } }

  /// Twelve in two folders, with five titles and three texts.
  static var some: [Note] {
    (0..<12).map { Note(id: $0, folder: Folder($0 % 2), title: $0 % 5, text: $0 % 3) }
  }
}
