public import Diffable

/// A page of a backend: rows in their order, and cursors to the next pages.
///
/// ```swift
/// Page(answer.notes, next: answer.nextToken)
/// ```
///
/// A page may have any number of rows, even none, whatever size was requested. A cursor means that
/// there may be more rows; without a cursor there are none.
public struct Page<Model: Identifiable & Equatable & Sendable, Cursor: Sendable>: Sendable
where Model.ID: Sendable {
  /// The rows, in their order.
  ///
  /// If an identifier appears twice, its first place and its last model count.
  public var models: [Model]
  /// The cursor to the rows before these; `nil` if there are none, or if the backend has only cursors
  /// to the rows after a page.
  public var previous: Cursor?
  /// The cursor to the rows after these; `nil` if there are none.
  public var next: Cursor?
  /// The number of rows before these in the backend; `nil` if unknown.
  ///
  /// Less than 0 means 0. ``PageOptions/maximumPlaceholderCount`` limits the placeholders.
  public var countBefore: Int?
  /// The number of rows after these in the backend; `nil` if unknown.
  ///
  /// Less than 0 means 0. ``PageOptions/maximumPlaceholderCount`` limits the placeholders.
  public var countAfter: Int?

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - models: The rows, in their order.
  ///   - previous: The cursor to the rows before these; `nil` if there are none.
  ///   - next: The cursor to the rows after these; `nil` if there are none.
  ///   - countBefore: The number of rows before these, for placeholders.
  ///   - countAfter: The number of rows after these, for placeholders.
  public init(
    _ models: [Model], previous: Cursor? = nil, next: Cursor? = nil, countBefore: Int? = nil,
    countAfter: Int? = nil
  ) {
    self.models = models
    (self.previous, self.next) = (previous, next)
    (self.countBefore, self.countAfter) = (countBefore, countAfter)
  }

  /// The cursor beyond an end of this page.
  subscript(end: PageEnd) -> Cursor? { end == .start ? previous : next }
}

extension Page: Equatable where Cursor: Equatable {}

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

/// A contradiction between the backend and the list about the model of a row.
///
/// The list is the writer, and the backend is the others: see `Contradiction`. So what was done in the
/// list wins, except that a row which the backend has deleted is deleted.
public struct PageConflict<Model: Identifiable & Equatable & Sendable>: Sendable
where Model.ID: Sendable {
  /// The row.
  public let item: Model.ID
  /// What both sides did: `changedTwice`, `changedButDeleted` or `deletedButChanged`.
  public let contradiction: Contradiction
  /// The models of the row: the backend's last one as the base, its new one as `theirs`, and the one of
  /// the list as `mine`.
  public let versions: ModelVersions<Model>

  init(
    _ item: Model.ID, _ contradiction: Contradiction, base: Model, theirs: Model?, mine: Model?
  ) {
    (self.item, self.contradiction) = (item, contradiction)
    versions = ModelVersions(base: base, theirs: theirs, mine: mine)
  }
}

extension PageConflict: Equatable {}

extension PageConflict: CustomStringConvertible {
  /// A sentence that says what both sides did, and what was decided.
  public var description: String {
    switch contradiction {
    case .changedTwice:
      "The list and the backend changed the model of the item “\(item)”. It has the list's."
    case .changedButDeleted:
      "The list changed the model of the item “\(item)”, but the backend no longer has it. "
        + "It is deleted."
    default:
      "The list deleted the item “\(item)”, whose model the backend has changed. It stays deleted."
    }
  }
}
