import Diffable
import DiffablePages

/// `livelist chat`: messages of several lines, from a server and from people who write now.
struct ChatCommand: ListCommand {
  static let nouns = (one: "row", many: "rows")

  let options: WritingOptions
  let shown = ChatSource()
  private let room: ChatRoom
  private let loader: ChatLoader

  init(options: WritingOptions) {
    self.options = options
    room = ChatRoom(shown)
    loader = ChatArchive(latency: min(options.interval / 4, .milliseconds(250)))
      .loader(into: shown)
  }

  func makeView() -> ChatView { ChatView(shown, loader, room) }

  func show(_ batch: ChatBatch, in view: ChatView) async { await view.showNewest() }

  func writing(_ body: @escaping @MainActor () async throws -> Void) async throws {
    await loader.refresh()
    let writing = Task { [room, options] in try await room.run(every: options.interval) }
    defer { writing.cancel() }
    try await body()
  }
}
