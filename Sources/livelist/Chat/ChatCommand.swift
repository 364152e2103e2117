import Diffable
import DiffablePages

/// `livelist chat`: messages of several lines, from a server and from people who write now.
struct ChatCommand: ListCommand {
  let options: ChatOptions
  private let source: ChatSource
  private let room: ChatRoom
  private let loader: ChatLoader

  init(options: ChatOptions) {
    self.options = options
    source = ChatSource()
    room = ChatRoom(source)
    loader = ChatArchive(latency: min(options.interval / 4, .milliseconds(250)))
      .loader(into: source)
  }

  var frames: Int? { options.frames }

  func updates() -> AsyncStream<ChatBatch> { source.updates() }

  func line(for batch: ChatBatch) -> String {
    BatchLine.text(for: batch.update, one: "row", many: "rows")
  }

  func makeView() -> ChatView { ChatView(source, loader, room) }

  func show(_ batch: ChatBatch, in view: ChatView) async { await view.showNewest() }

  func writing(_ body: @escaping @MainActor () async throws -> Void) async throws {
    await loader.refresh()
    let writing = Task { [room, options] in try await room.run(every: options.interval) }
    defer { writing.cancel() }
    try await body()
  }
}
