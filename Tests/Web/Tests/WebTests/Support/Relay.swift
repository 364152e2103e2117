import NIOCore
import NIOPosix
import Synchronization

/// Passes connections on to a server, until it cuts them.
final class Relay: Sendable {
  private struct State {
    var target: Int
    var connections: [any Channel] = []
    var isSilent = false
  }

  private let state: Mutex<State>
  private let listener: Mutex<(any Channel)?> = Mutex(nil)

  private init(_ target: Int) {
    state = Mutex(State(target: target))
  }

  /// Starts to listen.
  static func start(to target: Int) async throws -> Relay {
    let relay = Relay(target)
    let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { relay.connect($0) }
      .bind(host: "127.0.0.1", port: 0).get()
    relay.listener.withLock { $0 = channel }
    return relay
  }

  var port: Int { listener.withLock { $0?.localAddress?.port } ?? 0 }

  /// Passes nothing on any longer, and closes nothing: the server hangs, or the network has lost it.
  func fallSilent() { state.withLock { $0.isSilent = true } }

  fileprivate var isSilent: Bool { state.withLock { $0.isSilent } }

  /// Closes all connections, and passes new ones on to a server.
  func cut(then target: Int? = nil) {
    let connections = state.withLock { state in
      defer { state.connections = [] }
      if let target { state.target = target }
      state.isSilent = false
      return state.connections
    }
    for connection in connections { connection.close(promise: nil) }
  }

  func stop() {
    listener.withLock { $0 }?.close(promise: nil)
    cut()
  }

  private func connect(_ client: any Channel) -> EventLoopFuture<Void> {
    let target = state.withLock { state in
      state.connections.append(client)
      return state.target
    }
    return ClientBootstrap(group: client.eventLoop)
      .channelInitializer { server in
        server.eventLoop.makeCompletedFuture {
          try server.pipeline.syncOperations.addHandler(Glue(client, of: self))
        }
      }
      .connect(host: "127.0.0.1", port: target)
      .flatMapThrowing { server in
        try client.pipeline.syncOperations.addHandler(Glue(server, of: self))
      }
  }
}

/// Writes what comes in at one end out at the other.
private final class Glue: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let other: any Channel
  private let relay: Relay

  init(_ other: any Channel, of relay: Relay) {
    (self.other, self.relay) = (other, relay)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !relay.isSilent else { return }
    other.writeAndFlush(unwrapInboundIn(data), promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    other.close(promise: nil)
  }
}
