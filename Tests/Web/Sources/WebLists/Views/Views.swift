import DiffableTerminal
import HTTPTypes
import Hummingbird

/// What pages show, while they are connected and for a while after.
///
/// So a page whose connection was cut goes on where it was. Another search is another query of the same
/// view, and the page gets one delta from what it shows to what is found.
actor Views {
  /// How much of the server all pages together may use.
  struct Limits: Sendable {
    /// The greatest number of views.
    var count = 64
    /// How long a view stays when nobody follows it.
    var idleTime = Duration.seconds(60)
    /// The greatest number of characters to search for.
    var searchLength = 100
    /// The greatest number of bytes of that: a character may have any number of accents.
    var searchBytes = 400
  }

  struct Name: Hashable, Sendable {
    let list: String
    /// What the page calls itself, or nothing: such pages share one view.
    let page: String
  }

  /// Whoever holds it follows the view.
  final class Reading: Sendable {
    let view: any PageView
    private let ended: @Sendable () -> Void

    init(_ view: any PageView, ended: @escaping @Sendable () -> Void) {
      (self.view, self.ended) = (view, ended)
    }

    deinit { ended() }
  }

  private struct Entry {
    let view: any PageView
    weak var reading: Reading?
    /// The number of the last call for it.
    var lastCall: Int
  }

  /// How many there are, idle ones included.
  var count: Int { entries.count }

  private let limits: Limits
  private let clock: any Clock<Duration>
  private var entries: [Name: Entry] = [:]
  private var calls = 0

  init(limits: Limits, clock: any Clock<Duration> = ContinuousClock()) {
    (self.limits, self.clock) = (limits, clock)
  }

  /// The view of a page, which shows what a search finds from now on.
  ///
  /// - Throws: `HTTPError` if all views are in use, and `DataSourceError.finished` if the list has ended.
  func reading(_ list: ServedList, page: String, search: SearchQuery) async throws -> Reading {
    let name = Name(list: list.name, page: page)
    if let entry = entries[name] {
      // The same search changes nothing.
      try await entry.view.search(for: search)
    } else {
      try makeRoom()
      entries[name] = Entry(view: try list.open(search), lastCall: 0)
    }
    return try reading(name)
  }

  private func reading(_ name: Name) throws -> Reading {
    // The view may have gone while the search was set.
    guard let view = entries[name]?.view else { throw Views.full }
    calls += 1
    entries[name]?.lastCall = calls
    if let reading = entries[name]?.reading { return reading }
    let reading = Reading(view) { [weak self] in
      Task { await self?.rest(name) }
    }
    entries[name]?.reading = reading
    return reading
  }

  /// Forgets a view unless somebody asks for it again.
  private func rest(_ name: Name) async {
    let lastCall = entries[name]?.lastCall
    try? await clock.sleep(for: limits.idleTime)
    guard let entry = entries[name], entry.lastCall == lastCall, entry.reading == nil
    else { return }
    entries[name] = nil
  }

  /// Forgets the view that has been idle for longest, if there are too many.
  private func makeRoom() throws {
    guard entries.count >= limits.count else { return }
    let idle = entries.filter { $0.value.reading == nil }
    guard let oldest = idle.min(by: { $0.value.lastCall < $1.value.lastCall }) else {
      throw Views.full
    }
    entries[oldest.key] = nil
  }

  private static let full = HTTPError(
    .serviceUnavailable, headers: [.retryAfter: "10"], message: "All views are in use.")
}
