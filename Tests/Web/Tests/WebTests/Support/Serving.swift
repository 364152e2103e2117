import Diffable
import DiffableSync
import Foundation
import Hummingbird
import ServiceLifecycle
import Testing

@testable import WebLists

/// Serves lists while something is done.
///
/// - Parameter body: Gets the address to open, ticket included.
func serving(
  _ lists: [ServedList], _ options: WebServer.Options = .forTests(),
  _ body: (URL) async throws -> Void
) async throws {
  let server = WebServer(lists, options)
  try await running({ server.application(running: $0) }, body)
}

/// Serves lists and shows one of them in a browser while something is done.
func withPage(
  of lists: [ServedList], showing list: String, _ options: WebServer.Options = .forTests(),
  _ body: (Browser) async throws -> Void
) async throws {
  try await ChromeDriver.withBrowsers { browsers in
    try await serving(lists, options) { address in
      try await browsers[0].open(address.showing(list))
      try await body(browsers[0])
    }
  }
}

/// Runs a program while something is done, and lets it end as a signal does.
///
/// A program that is cancelled instead ends the process if a client connects at the same moment.
///
/// - Parameters:
///   - make: Makes the program, which tells its address when it can be reached.
///   - body: Gets the address.
func running(
  _ make:
    @escaping @Sendable (_ running: @escaping @Sendable (String) -> Void)
    -> some ApplicationProtocol,
  _ body: (URL) async throws -> Void
) async throws {
  let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
  let program = make { continuation.yield($0) }
  let group = ServiceGroup(
    configuration: ServiceGroupConfiguration(services: [program], logger: program.logger))
  let server = Task {
    defer { continuation.finish() }
    try await group.run()
  }
  var iterator = addresses.makeAsyncIterator()
  guard let address = await iterator.next().flatMap({ URL(string: $0) }) else {
    server.cancel()
    return try await server.value
  }
  do {
    try await body(address)
  } catch {
    await group.triggerGracefulShutdown()
    throw error
  }
  await group.triggerGracefulShutdown()
  let limit = Task {
    try await Task.sleep(for: .seconds(60))
    Issue.record("The program does not end")
    server.cancel()
  }
  defer { limit.cancel() }
  try await server.value
}

extension WebServer.Options {
  /// Any port, and clients that come back at once.
  static func forTests() -> WebServer.Options {
    var options = WebServer.Options()
    options.port = 0
    options.events = DeltaEventOptions(lifetime: nil, retry: 20)
    options.limits.ending = .milliseconds(500)
    return options
  }
}

extension URL {
  /// The page with a list of its own.
  func showing(_ list: String) -> URL {
    URL(string: absoluteString + "#\(list)") ?? self
  }

  /// The same address at another port.
  func atPort(_ port: Int) -> URL {
    var parts = URLComponents(url: self, resolvingAgainstBaseURL: false)
    parts?.port = port
    return parts?.url ?? self
  }
}

extension RowSource {
  /// The list as the page can tell it, see `Browser.rows`.
  var text: String {
    snapshot.sectionIdentifiers.map { section in
      let rows = snapshot.items(inSection: section).compactMap { model(for: $0) }
      return section + ":" + rows.map { "\($0.title)/\($0.count)" }.joined(separator: ",")
    }.joined(separator: ";")
  }
}

extension Browser {
  /// All rows that the page holds, in a text.
  static let rows = """
    follower.list.sections.map(({ id, items }) => id + ":" + items.map((item) => {
      const { title, count } = follower.list.model(item)
      return title + "/" + count
    }).join()).join(";")
    """

  /// Waits until the page holds the rows of a source.
  func wait(for source: RowSource) async throws {
    try await wait(until: "\(Self.rows) === \"\(await source.text)\"")
  }

  /// What is wrong with the rows that are elements; empty if they show what the page holds.
  func faults() async throws -> [String] {
    // Elements follow in the same turn, but for those that leave.
    try await value(
      of: """
        (() => {
          const all = follower.list.sections.flatMap((section) => section.items)
          const shown = [...document.querySelectorAll("[role=option]")]
          return shown.flatMap((row, index) => {
            const place = Number(row.ariaPosInSet) - 1
            const { title } = follower.list.model(all[place])
            const before = shown[index - 1]
            return [
              row.querySelector(".command").textContent === title ? "" : `${place} is no ${title}`,
              row.ariaSetSize === String(all.length) ? "" : `${place} of ${row.ariaSetSize}`,
              !before || Number(before.ariaPosInSet) <= place ? "" : `${place} is out of order`,
            ].filter((fault) => fault)
          })
        })()
        """)
  }
}
