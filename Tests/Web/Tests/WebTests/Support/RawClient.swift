import NIOCore
import NIOPosix
import Synchronization

/// A client that sends what it is told, whether that is a request or not, and may read nothing.
struct RawClient: Sendable {
  private let channel: any Channel
  private let inbox: Inbox

  private final class Inbox: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    let text = Mutex("")
    /// Fulfilled when an event has begun, or the connection has ended.
    let event: EventLoopPromise<Void>
    private let hasEvent = Mutex(false)

    init(_ event: EventLoopPromise<Void>) { self.event = event }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let part = String(buffer: unwrapInboundIn(data))
      text.withLock { $0 += part }
      guard !hasEvent.withLock(\.self) else { return }
      if text.withLock({ $0.contains("\ndata: ") }) {
        hasEvent.withLock { $0 = true }
        event.succeed()
      } else {
        context.read()
      }
    }

    func handlerRemoved(context: ChannelHandlerContext) { event.fail(ChannelError.eof) }
  }

  /// Connects to a server of this machine.
  ///
  /// - Parameter reads: Whether it reads what comes; if not, little has room on the way.
  static func connect(to port: Int, reads: Bool = true) async throws -> RawClient {
    let group = MultiThreadedEventLoopGroup.singleton
    let inbox = Inbox(group.any().makePromise())
    let channel = try await ClientBootstrap(group: group)
      .channelOption(.autoRead, value: reads)
      .channelOption(.socketOption(.so_rcvbuf), value: reads ? 1 << 16 : 1 << 12)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(inbox)
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    return RawClient(channel: channel, inbox: inbox)
  }

  func send(_ text: String) async throws {
    try await channel.writeAndFlush(ByteBuffer(string: text)).get()
  }

  /// Reads until the first event of a list has begun.
  ///
  /// Before that, a response may end without one.
  func readFirstEvent() async throws {
    channel.read()
    try await wait(for: inbox.event.futureResult)
  }

  /// What has come when the server has closed the connection.
  func end() async throws -> String {
    try await wait(for: channel.closeFuture)
    return inbox.text.withLock { $0 }
  }

  func close() { channel.close(promise: nil) }

  /// Waits for what the connection brings, and closes it if the task is cancelled: the server may do
  /// nothing.
  private func wait(for future: EventLoopFuture<Void>) async throws {
    try await withTaskCancellationHandler {
      try await future.get()
    } onCancel: {
      close()
    }
    try Task.checkCancellation()
  }
}
