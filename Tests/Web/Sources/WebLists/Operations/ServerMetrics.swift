import Hummingbird
import HummingbirdCore
import Synchronization

/// What the server counts of itself.
final class ServerMetrics: Sendable {
  struct Counts: Sendable {
    /// Whether clients can connect.
    var isRunning = false
    /// The connections that are open.
    var connections = 0
    /// The responses so far, by their status.
    var responses: [Int: Int] = [:]
    /// By the name of a list, the streams that are open.
    var streams: [String: Int] = [:]
    /// By the name of a list, the bytes of streams that clients have taken so far.
    var bytes: [String: Int] = [:]
  }

  private let state = Mutex(Counts())

  var counts: Counts { state.withLock { $0 } }

  func count(_ change: (inout Counts) -> Void) { state.withLock { change(&$0) } }
}

/// A stream that is open for as long as somebody holds it.
final class OpenStream: Sendable {
  private let list: String
  private let metrics: ServerMetrics
  private let reading: Views.Reading

  init(of list: String, _ reading: Views.Reading, _ metrics: ServerMetrics) {
    (self.list, self.reading, self.metrics) = (list, reading, metrics)
    metrics.count { $0.streams[list, default: 0] += 1 }
  }

  deinit { metrics.count { $0.streams[list, default: 0] -= 1 } }

  /// The response, which holds this until it is written.
  func holding(_ response: Response) -> Response {
    let body = response.body.map { buffer in
      self.metrics.count { $0.bytes[self.list, default: 0] += buffer.readableBytes }
      return buffer
    }
    return Response(status: response.status, headers: response.headers, body: body)
  }
}

/// Counts connections, and lets those wait that are too many.
struct CountedConnections: AvailableConnectionsDelegate {
  let metrics: ServerMetrics
  let limit: Int

  func connectionOpened() { metrics.count { $0.connections += 1 } }

  func connectionClosed() { metrics.count { $0.connections -= 1 } }

  func isAcceptingNewConnections() -> Bool { metrics.counts.connections < limit }
}

/// Counts responses by their status.
struct CountedResponses<Context: RequestContext>: RouterMiddleware {
  let metrics: ServerMetrics

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      let response = try await next(request, context)
      metrics.count { $0.responses[Int(response.status.code), default: 0] += 1 }
      return response
    } catch {
      metrics.count { $0.responses[500, default: 0] += 1 }
      throw error
    }
  }
}
