import Foundation
import HTTPTypes
package import Hummingbird
package import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
package import ServiceLifecycle
import UnixSignals

/// How long clients may keep the server waiting.
package struct ConnectionLimits: Sendable {
  /// The time for the head of a request, after the connection has begun and after each response; and
  /// the same again for its body.
  package var request = Duration.seconds(15)
  /// The time that a client may take to read one element of a response.
  package var reading = Duration.seconds(45)
  /// The greatest length of the body of a request, in bytes.
  package var body = 1 << 18
  /// The time that responses have to end when the server shuts down.
  package var ending = Duration.seconds(5)

  package init() {}

  /// A server that closes the connections of clients that take longer.
  package var server: HTTPServerBuilder {
    .http1(
      configuration: HTTP1Channel.Configuration(
        additionalChannelHandlers: [LimitedConnection(self)], idleTimeout: TimeAmount(request)))
  }
}

/// Closes one connection when its client takes too long to read, and some time after a shutdown has begun.
///
/// A body is refused unless it is posted, with a length that is said and allowed: else its client could send it
/// for ever.
private final class LimitedConnection: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limits: ConnectionLimits
  private var isRefusing = false
  /// The number of writes that wait for the client.
  private var pending = 0
  private var deadline: Scheduled<Void>?
  /// When the body of the request must have come.
  private var bodyDeadline: Scheduled<Void>?

  init(_ limits: ConnectionLimits) { self.limits = limits }

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    do {
      let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
      try pipeline.addHandler(WholeAddress(), position: .before(codec))
    } catch {
      // Without it nobody would see all names of a request.
      context.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      isRefusing = isRefusing || !isAllowed(head)
      if isRefusing { refuse(context) }
      if head.method == .post { bodyDeadline = close(context.channel, in: limits.request) }
    case .body: break
    case .end: bodyDeadline?.cancel()
    }
    if !isRefusing { context.fireChannelRead(data) }
  }

  /// Whether the body of a request is short enough.
  private func isAllowed(_ head: HTTPRequest) -> Bool {
    guard head.headerFields[.transferEncoding] == nil,
      let length = Int(head.headerFields[.contentLength] ?? "0")
    else { return false }
    return length == 0 || (head.method == .post && length <= limits.body)
  }

  private func refuse(_ context: ChannelHandlerContext) {
    let fields: HTTPFields = [.connection: "close", .contentLength: "0"]
    let head = HTTPResponse(status: .contentTooLarge, headerFields: fields)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.close(promise: nil)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let promise = promise ?? context.eventLoop.makePromise()
    pending += 1
    if pending == 1 { setDeadline(context) }
    promise.futureResult.assumeIsolated().whenComplete { _ in
      self.pending -= 1
      self.setDeadline(context)
    }
    context.write(data, promise: promise)
  }

  /// Gives the client some time from now on, if anything waits for it.
  private func setDeadline(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    deadline = pending == 0 ? nil : close(context.channel, in: limits.reading)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent { _ = close(context.channel, in: limits.ending) }
    context.fireUserInboundEventTriggered(event)
  }

  private func close(_ channel: any Channel, in time: Duration) -> Scheduled<Void> {
    channel.eventLoop.scheduleTask(in: TimeAmount(time)) { channel.close(promise: nil) }
  }
}

/// Passes on what the first line of a request names, if that is more than a path.
///
/// What comes after it would only see the path. A whole address becomes one more field `Host`: refuse requests
/// that have two of them.
private final class WholeAddress: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), !head.uri.hasPrefix("/") else {
      return context.fireChannelRead(data)
    }
    head.headers.add(name: "Host", value: head.uri)
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}

extension ApplicationProtocol {
  /// Runs until a signal asks to end: responses end, and connections are closed after a while.
  ///
  /// A second signal ends the program at once.
  ///
  /// - Parameter others: What runs beside it, and ends before it.
  package func runUntilSignalled(beside others: [any Service] = []) async throws {
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(services: [self] + others, logger: logger))
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      tasks.addTask {
        var count = 0
        for await signal in signals {
          count += 1
          if count > 1 { exit(128 + signal.rawValue) }
          await group.triggerGracefulShutdown()
        }
      }
      defer { tasks.cancelAll() }
      try await tasks.next()
    }
  }
}
