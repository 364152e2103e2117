/// What a backend answers when it is asked for a page: rows in their order, and how to go on.
///
/// ```swift
/// Page(answer.notes, next: answer.nextToken)
/// ```
///
/// A page may have any number of rows, none included, whatever size was asked for. A cursor that is
/// there says that there may be more rows; one that is missing says that there are none.
public struct Page<Model: Identifiable & Equatable & Sendable, Cursor: Sendable>: Sendable
where Model.ID: Sendable {
  /// The rows, in their order.
  ///
  /// If an identifier is there twice, its first place and its last model count.
  public var models: [Model]
  /// What leads to the rows before these; `nil` if there are none, or if this backend only goes on.
  public var previous: Cursor?
  /// What leads to the rows after these; `nil` if there are none.
  public var next: Cursor?
  /// The number of rows that the backend has before these; `nil` if it does not say.
  public var countBefore: Int?
  /// The number of rows that the backend has after these; `nil` if it does not say.
  public var countAfter: Int?

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - models: The rows, in their order.
  ///   - previous: What leads to the rows before these; `nil` if there are none.
  ///   - next: What leads to the rows after these; `nil` if there are none.
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

  /// The cursor that leads beyond an end of this page.
  subscript(end: PageEnd) -> Cursor? { end == .start ? previous : next }
}

extension Page: Equatable where Cursor: Equatable {}
