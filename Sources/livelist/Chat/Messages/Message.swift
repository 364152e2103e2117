import Diffable
import DiffablePages

/// A message of the chat.
struct Message: Identifiable, Equatable, Sendable {
  /// Its number; later messages have greater ones.
  let id: Int
  /// The name of the author; `nil` for a notice of the chat itself.
  var author: String?
  var text: String
  /// Whether more of the text is to come.
  var isUnderWay = false
}

/// The sections of the chat: what is loading, and the messages.
enum ChatSection: Hashable, Sendable {
  case status
  case messages
}

typealias ChatSource = ModelSource<ChatSection, Message>
typealias ChatBatch = ModelBatch<ChatSection, Message>
typealias ChatLoader = PageLoader<ChatSection, Message, Int>
