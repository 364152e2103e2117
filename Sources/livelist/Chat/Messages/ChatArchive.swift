import Diffable
import DiffablePages

/// The messages from before the program began, as a server has them.
struct ChatArchive: Sendable {
  /// The number of messages; they are numbered from 1.
  static let count = 400

  /// The time that an answer takes.
  let latency: Duration

  /// A message of the archive.
  static func message(_ number: Int) -> Message {
    let (author, text) = ChatScript.lines[number % ChatScript.lines.count]
    return Message(id: number, author: author, text: text)
  }

  /// A page of messages that ends before a cursor, or at the end.
  func page(_ request: PageRequest<Int>) async throws -> Page<Message, Int> {
    if latency > .zero { try await Task.sleep(for: latency) }
    let end =
      switch request.place {
      case .first: Self.count + 1
      case .before(let number): number
      case .after: 1
      }
    let start = max(1, end - request.size)
    return Page((start..<end).map(Self.message), previous: start > 1 ? start : nil)
  }

  /// A loader of the messages into a source, and of a notice while it loads.
  func loader(into source: ChatSource) -> ChatLoader {
    ChatLoader(
      source, section: .messages, options: PageOptions(pageSize: 20),
      rows: PageLoaderRows(before: .status) { load, state in
        guard load == .start else { return nil }
        return switch state {
        case .loading: Message(id: 0, text: "Loading older messages …")
        case .endReached: Message(id: 0, text: "The chat begins here.")
        case .idle, .failed: nil
        }
      }
    ) { try await page($0) }
  }
}
