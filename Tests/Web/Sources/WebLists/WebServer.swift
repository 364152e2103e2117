import Diffable
package import DiffableSync
import DiffableTerminal
import Foundation
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Serves lists and the page that shows them.
package struct WebServer: Sendable {
  package struct Options: Sendable {
    /// The address to listen at; also a name that requests may give.
    package var host = "127.0.0.1"
    /// Other names that requests may give, besides those of this machine; the first is in the address to open.
    package var names: [String] = []
    /// 0 lets the system choose.
    package var port = 8080
    /// The greatest number of connections; more wait.
    package var connections = 256
    /// The greatest number of views that pages have of lists.
    package var views = 64
    /// How long a view stays when nobody follows it.
    package var idleTime = Duration.seconds(60)
    /// How long clients may keep the server waiting.
    package var limits = ConnectionLimits()
    /// How a stream behaves.
    package var events = DeltaEventOptions(lifetimeVariation: 0.2)
    /// What the address must have that a reader opens first.
    package var ticket = Secret()
    /// What a reader has afterwards.
    package var cookie = Secret()

    package init() {}
  }

  let options: Options
  let lists: [String: ServedList]
  let views: Views
  let metrics = ServerMetrics()
  private let limits: Views.Limits

  package init(_ lists: [ServedList], _ options: Options) {
    self.options = options
    self.lists = Dictionary(lists.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    limits = Views.Limits(count: options.views, idleTime: options.idleTime)
    views = Views(limits: limits)
  }

  /// The program that runs.
  ///
  /// - Parameter running: Is called with the address to open, ticket included, when it can be opened.
  package func application(
    running: @escaping @Sendable (String) -> Void
  ) -> some ApplicationProtocol {
    var logger = Logger(label: "web")
    logger.logLevel = .warning
    let router = Router()
    router.addMiddleware {
      CountedResponses(metrics: metrics)
      Strictness()
      Gate(
        ticket: options.ticket, cookie: options.cookie, cookieName: "lists-\(options.port)",
        hosts: Set(
          (options.names + [options.host, "127.0.0.1", "localhost", "::1"]).map(
            Gate<BasicRequestContext>.name(of:))))
      FileMiddleware(
        Bundle.module.bundleURL.appendingPathComponent("Page").path,
        cacheControl: CacheControl([(MediaType(type: .any), [.noCache])]), searchForIndexHtml: true,
        logger: logger)
    }
    router.get("diffable/:module") { try moduleResponse(to: $0, name: $1.parameters.get("module")) }
    router.get("lists/:list") { try await respond(to: $0, list: $1.parameters.get("list")) }
    // Says whether the list can be read, to pages whose stream failed.
    router.head("lists/:list") {
      var response = try await respond(to: $0, list: $1.parameters.get("list"))
      response.body = ResponseBody()
      return response
    }
    router.post("lists/:list") { try await answer(to: $0, list: $1.parameters.get("list")) }
    let (host, ticket) = (options.shownHost, options.ticket)
    return Application(
      router: router, server: options.limits.server,
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port),
        availableConnectionsDelegate: CountedConnections(
          metrics: metrics, limit: options.connections)),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? 0
        metrics.count { $0.isRunning = true }
        running("http://\(host):\(port)/?ticket=\(ticket.text)")
      }, logger: logger)
  }

  private func respond(to request: Request, list name: String?) async throws -> Response {
    guard let list = name.flatMap({ lists[$0] }) else { throw HTTPError(.notFound) }
    let query = request.uri.queryParameters
    let page = query["page"].map(String.init) ?? ""
    guard page.wholeMatch(of: /[A-Za-z0-9-]{0,40}/) != nil else {
      throw HTTPError(.badRequest, message: "A page has a name of letters and digits.")
    }
    let text = query["search"].map(String.init) ?? ""
    guard text.utf8.count <= limits.searchBytes, text.count <= limits.searchLength else {
      throw HTTPError(
        .badRequest, message: "A search has at most \(limits.searchLength) characters.")
    }
    let search = SearchQuery(text)
    guard search.isEmpty || !page.isEmpty else {
      throw HTTPError(.badRequest, message: "Who searches needs a view of their own: add a page.")
    }
    do {
      let reading = try await views.reading(list, page: page, search: search)
      let stream = OpenStream(of: list.name, reading, metrics)
      return stream.holding(reading.view.response(to: request, options: options.events))
    } catch DataSourceError.finished {
      // Tells `EventSource` not to connect again.
      return Response(status: .noContent)
    }
  }
}

extension WebServer {
  /// Answers a proposal to change a list.
  private func answer(to request: Request, list name: String?) async throws -> Response {
    guard let list = name.flatMap({ lists[$0] }) else { throw HTTPError(.notFound) }
    guard let accept = list.accept else {
      throw HTTPError(.methodNotAllowed, message: "This list can only be read.")
    }
    let body = try await request.body.collect(upTo: options.limits.body)
    do {
      let answer = try await accept(Data(body.readableBytesView))
      return Response(
        status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer)))
    } catch DataSourceError.finished {
      throw HTTPError(.gone, message: "The list has ended.")
    }
  }
}

extension WebServer.Options {
  /// The host in the address to open.
  var shownHost: String {
    // Nobody can connect to the addresses that mean all addresses.
    let anywhere = ["0.0.0.0": "127.0.0.1", "::": "::1"]
    return Gate<BasicRequestContext>.name(of: names.first ?? anywhere[host] ?? host)
  }
}
