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
    /// Fulfilled when something has come, or the connection has ended.
    let first: EventLoopPromise<Void>

    init(_ first: EventLoopPromise<Void>) { self.first = first }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let text = String(buffer: unwrapInboundIn(data))
      self.text.withLock { $0 += text }
      first.succeed()
    }

    func handlerRemoved(context: ChannelHandlerContext) { first.fail(ChannelError.eof) }
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

  /// Reads once, and returns when something has come.
  func readFirstPart() async throws {
    channel.read()
    try await inbox.first.futureResult.get()
  }

  /// What has come when the server has closed the connection.
  func end() async throws -> String {
    try await channel.closeFuture.get()
    return inbox.text.withLock { $0 }
  }

  func close() { channel.close(promise: nil) }
}
