import Diffable
package import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// What those see who run the server.
extension WebServer {
  /// A program at a port of its own, which says how the server is.
  ///
  /// - `/health` is 200 while clients can connect to the server, and 503 before.
  /// - `/metrics` has numbers in the text format of Prometheus.
  ///
  /// It asks for no ticket: let only those reach this port who run the server. It answers also when all
  /// connections to the lists are in use.
  ///
  /// - Parameter running: Is called with the address when it can be opened.
  package func watch(
    port: Int, running: @escaping @Sendable (String) -> Void = { _ in }
  ) -> some ApplicationProtocol {
    // What watches a server may ask by `HEAD`.
    let (router, host) = (Router(options: .autoGenerateHeadEndpoints), options.shownHost)
    router.get("health") { _, _ in
      let isRunning = metrics.counts.isRunning
      return Response(
        status: isRunning ? .ok : .serviceUnavailable,
        headers: [.contentType: "text/plain", .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: isRunning ? "ok\n" : "starting\n")))
    }
    router.get("metrics") { _, _ in
      let text = await exposition().text
      return Response(
        status: .ok, headers: [.contentType: Exposition.contentType],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
    var logger = Logger(label: "watch")
    logger.logLevel = .warning
    return Application(
      router: router, server: options.limits.server,
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: port),
        availableConnectionsDelegate: MaximumAvailableConnections(16)),
      onServerRunning: { running("http://\(host):\($0.localAddress?.port ?? 0)") },
      logger: logger)
  }

  private func exposition() async -> Exposition {
    let counts = metrics.counts
    let sources = lists.values.map { ($0.name, $0.metrics()) }.sorted { $0.0 < $1.0 }
    var numbers = Exposition()
    numbers.add("lists_connections", .gauge, "Open connections.", counts.connections)
    numbers.add(
      "lists_connections_limit", .gauge, "More connections wait.", options.connections)
    numbers.add("lists_views", .gauge, "Views of pages, idle ones included.", await views.count)
    numbers.add("lists_views_limit", .gauge, "More pages are refused.", options.views)
    numbers.add(
      "lists_responses_total", .counter, "Responses by their status.", by: "status",
      counts.responses.sorted { $0.key < $1.key }.map { ("\($0.key)", $0.value) })
    numbers.add(
      "lists_streams", .gauge, "Open streams.", by: "list",
      sources.map { ($0.0, counts.streams[$0.0] ?? 0) })
    numbers.add(
      "lists_stream_bytes_total", .counter, "Bytes of streams.", by: "list",
      sources.map { ($0.0, counts.bytes[$0.0] ?? 0) })
    numbers.add(
      "lists_writes_total", .counter, "Writes by what became of them.", by: ["list", "outcome"],
      sources.flatMap { name, metrics in
        [
          ("changed", metrics.changed), ("unchanged", metrics.unchanged),
          ("rejected", metrics.rejected), ("superseded", metrics.superseded),
        ].map { ([name, $0], $1) }
      })
    numbers.add(
      "lists_write_seconds_total", .counter, "The time that writes took.", by: "list",
      sources.map { ($0.0, $0.1.writingTime.sum / .seconds(1)) })
    numbers.add(
      "lists_coalesced_revisions_total", .counter,
      "Revisions that a subscriber received together with a later one.", by: "list",
      sources.map { ($0.0, $0.1.coalesced) })
    numbers.add(
      "lists_subscribers", .gauge, "Subscribers of the source.", by: "list",
      sources.map { ($0.0, $0.1.subscribers) })
    return numbers
  }
}
