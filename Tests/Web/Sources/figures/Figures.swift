import Diffable
import DiffableSync
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import WebLists

/// A server for measurements: `figures.py` asks it.
///
/// - `ping` answers: the round trip of the framework.
/// - `idle` streams a line, and then nothing: what a stream costs by itself.
/// - `list` streams a list; its one row says when it was changed.
/// - `change` changes the row, with some bytes more that somebody who does not read has to wait for.
@main
struct Figures {
  struct Row: Identifiable, Codable, Equatable {
    let id: Int
    var time: UInt64
    var text = ""
  }

  static func main() async throws {
    let source = ModelSource<String, Row>()
    try await source.apply([Row(id: 1, time: 0)], section: { _ in "rows" })
    let encoding = DeltaEncoding<ModelBatch<String, Row>>()
    let router = Router()
    router.get("ping") { _, _ in "pong" }
    router.get("idle") { request, _ in
      Response(
        status: .ok, headers: [.contentType: "text/event-stream"],
        body: ResponseBody { writer in
          try await request.body.consumeWithCancellationOnInboundClose { _ in
            try await writer.write(ByteBuffer(string: ":\n\n"))
            for try await line in AsyncStream(String.self, { _ in }).cancelOnGracefulShutdown() {
              try await writer.write(ByteBuffer(string: line))
            }
          }
        })
    }
    router.get("list") { request, _ in
      source.response(
        to: request, options: DeltaEventOptions(lifetime: nil), encoding: encoding)
    }
    router.get("change") { request, _ in
      let size = request.uri.queryParameters["size"].flatMap { Int($0) } ?? 0
      let text = String(repeating: "x", count: size)
      let time = now()
      try await source.setModel(Row(id: 1, time: time, text: text))
      return ""
    }
    var logger = Logger(label: "figures")
    logger.logLevel = .critical
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: 0), backlog: 4096),
      onServerRunning: { channel in
        try? FileHandle.standardOutput.write(
          contentsOf: Data("\(channel.localAddress?.port ?? 0)\n".utf8))
      }, logger: logger)
    try await application.run()
  }

  /// The time of the clock that other processes see as well.
  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
