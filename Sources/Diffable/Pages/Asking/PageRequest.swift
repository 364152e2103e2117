/// One question to a backend: where the rows begin or end, and about how many are wanted.
public struct PageRequest<Cursor: Sendable>: Sendable {
  /// Which rows are wanted.
  public var place: PagePlace<Cursor>
  /// The number of rows that are wanted, at least 1.
  ///
  /// It is a wish: the page may have more or fewer. A refresh of a long list asks for all of it at
  /// once, and goes on from page to page where the backend answers with less.
  public var size: Int
  /// Whether the question is part of a refresh, so that what is cached is not wanted.
  public var isRefresh: Bool

  /// Creates a request, for tests of a backend.
  ///
  /// - Parameters:
  ///   - place: Which rows are wanted.
  ///   - size: The number of rows that are wanted.
  ///   - isRefresh: Whether the question is part of a refresh.
  public init(_ place: PagePlace<Cursor>, size: Int, isRefresh: Bool = false) {
    (self.place, self.size, self.isRefresh) = (place, size, isRefresh)
  }
}

/// Which rows a backend is asked for.
public enum PagePlace<Cursor: Sendable>: Sendable {
  /// Those that a user is to see first: there is no cursor yet.
  case first
  /// Those just before a ``Page/previous`` cursor.
  case before(Cursor)
  /// Those just after a ``Page/next`` cursor.
  case after(Cursor)

  /// Whether a page from here that has no cursor beyond an end has reached that end.
  ///
  /// A page that was asked for after a cursor has rows before it, whether it has a cursor for them
  /// or not.
  func faces(_ end: PageEnd) -> Bool {
    switch self {
    case .first: true
    case .before: end == .start
    case .after: end == .end
    }
  }

  /// Where the rows are to which a page's cursor leads.
  init(beyond end: PageEnd, _ cursor: Cursor) {
    self = end == .start ? .before(cursor) : .after(cursor)
  }
}

extension PagePlace: Equatable where Cursor: Equatable {}
extension PageRequest: Equatable where Cursor: Equatable {}
