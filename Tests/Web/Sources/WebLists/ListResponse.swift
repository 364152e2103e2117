package import Diffable
package import DiffableSync
import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
import ServiceLifecycle

extension DeltaEncoding where Batch.Delta: Encodable {
  /// Deltas as JSON.
  package convenience init() {
    self.init { try Array(JSONEncoder().encode($0)) }
  }
}

extension ListSource where Batch: DeltaBatch {
  /// The list as server-sent events, for as long as the client listens.
  ///
  /// It resumes from the token of the client. A browser that reconnects sends it in a header. A page that
  /// opens a new connection sends it in the query.
  ///
  /// - Parameter encoding: What all responses share that may have the same bytes.
  package func response(
    to request: Request, options: DeltaEventOptions, encoding: DeltaEncoding<Batch>
  ) -> Response {
    let token =
      request.headers["Last-Event-ID"] ?? request.uri.queryParameters["after"].map(String.init)
    let body = ResponseBody { writer in
      // By default, the server does not cancel a body when the client disconnects.
      try await request.body.consumeWithCancellationOnInboundClose { _ in
        // The body holds the source: a source that is released ends its streams.
        let events = self.events(
          after: token.map(ResumeToken.init), options: options, encoding: encoding)
        // The next delta is computed after this one was written.
        for try await bytes in events.cancelOnGracefulShutdown() {
          try await writer.write(ByteBuffer(bytes: bytes))
        }
      }
      try await writer.finish(nil)
    }
    var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-cache"]
    // Tells nginx to forward each event at once.
    headers["X-Accel-Buffering"] = "no"
    return Response(status: .ok, headers: headers, body: body)
  }
}

extension HTTPFields {
  /// The value of a field by its name.
  subscript(name: String) -> String? {
    get { HTTPField.Name(name).flatMap { self[$0] } }
    set { if let name = HTTPField.Name(name) { self[name] = newValue } }
  }
}
