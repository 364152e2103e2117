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
  /// The cursor to the rows before these; `nil` if there are none or no such cursors.
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
