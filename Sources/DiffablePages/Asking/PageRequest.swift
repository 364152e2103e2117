/// A request to a backend: where the rows begin or end, and about how many are wanted.
public struct PageRequest<Cursor: Sendable>: Sendable {
  /// The place of the wanted rows.
  public var place: PagePlace<Cursor>
  /// The number of wanted rows, at least 1.
  ///
  /// It is a hint: the page may have more or fewer. A refresh of a long list requests all of it at
  /// once, and continues page by page if the backend returns less.
  public var size: Int
  /// Whether the request is part of a refresh, so that cached results are not wanted.
  public var isRefresh: Bool

  /// Creates a request, for tests of a backend.
  ///
  /// - Parameters:
  ///   - place: The place of the wanted rows.
  ///   - size: The number of wanted rows.
  ///   - isRefresh: Whether the request is part of a refresh.
  public init(_ place: PagePlace<Cursor>, size: Int, isRefresh: Bool = false) {
    (self.place, self.size, self.isRefresh) = (place, size, isRefresh)
  }
}

/// The place of the rows that are requested from a backend.
public enum PagePlace<Cursor: Sendable>: Sendable {
  /// The rows that a user should see first: there is no cursor yet.
  case first
  /// The rows just before a ``Page/previous`` cursor.
  case before(Cursor)
  /// The rows just after a ``Page/next`` cursor.
  case after(Cursor)

  /// Whether a page from this place that has no cursor beyond an end has reached that end.
  ///
  /// There are rows before a page that was requested after a cursor, even if it has no cursor for
  /// them.
  func faces(_ end: PageEnd) -> Bool {
    switch self {
    case .first: true
    case .before: end == .start
    case .after: end == .end
    }
  }

  /// The place that a page's cursor leads to.
  init(beyond end: PageEnd, _ cursor: Cursor) {
    self = end == .start ? .before(cursor) : .after(cursor)
  }
}

extension PagePlace: Equatable where Cursor: Equatable {}
extension PageRequest: Equatable where Cursor: Equatable {}
