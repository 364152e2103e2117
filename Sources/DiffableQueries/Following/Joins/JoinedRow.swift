/// A row of two lists that were joined: an element of the first, one of the second, or both.
///
/// `joined(withEachOf:by:_:options:)` of a source makes such rows. An element without a partner is
/// a row, too; then ``left`` or ``right`` is `nil`.
public enum JoinedRow<
  Left: Identifiable & Equatable & Sendable, Right: Identifiable & Equatable & Sendable
>: Equatable, Sendable where Left.ID: Sendable, Right.ID: Sendable {
  /// An element of the first list without a partner; in a tree, each element of it.
  case left(Left)
  /// An element of the second list without a partner; in a tree, each element of it.
  case right(Right)
  /// An element of the second list with the one of the first that it names.
  case both(Left, Right)

  // Compiled where the types are known: each change compares rows and their identifiers.

  /// Whether two rows show the same elements in the same way.
  @inlinable public static func == (first: JoinedRow, second: JoinedRow) -> Bool {
    switch (first, second) {
    case (.left(let first), .left(let second)): first == second
    case (.right(let first), .right(let second)): first == second
    case (.both(let left, let right), .both(let otherLeft, let otherRight)):
      left == otherLeft && right == otherRight
    default: false
    }
  }

  /// The element of the first list; `nil` if the row shows none.
  public var left: Left? {
    switch self {
    case .left(let left), .both(let left, _): left
    case .right: nil
    }
  }

  /// The element of the second list; `nil` if the row shows none.
  public var right: Right? {
    switch self {
    case .right(let right), .both(_, let right): right
    case .left: nil
    }
  }
}

extension JoinedRow: Identifiable {
  /// The identifier of the element of the second list or, if there is none, of the first.
  ///
  /// An element of the second list names at most one of the first, so it has one row. That stays the same row when
  /// the element names another one, or none.
  public var id: JoinedID<Left.ID, Right.ID> {
    switch self {
    case .left(let left): .left(left.id)
    case .right(let right), .both(_, let right): .right(right.id)
    }
  }
}

/// What identifies a row of two lists that were joined: an identifier of one of them.
public enum JoinedID<Left: Hashable & Sendable, Right: Hashable & Sendable>: Hashable, Sendable {
  /// An identifier of the first list.
  case left(Left)
  /// An identifier of the second list.
  case right(Right)

  /// Whether two identifiers are the same one of the same list.
  @inlinable public static func == (first: JoinedID, second: JoinedID) -> Bool {
    switch (first, second) {
    case (.left(let first), .left(let second)): first == second
    case (.right(let first), .right(let second)): first == second
    default: false
    }
  }

  /// Hashes the list and the identifier.
  @inlinable public func hash(into hasher: inout Hasher) {
    switch self {
    case .left(let left):
      hasher.combine(0 as UInt8)
      hasher.combine(left)
    case .right(let right):
      hasher.combine(1 as UInt8)
      hasher.combine(right)
    }
  }
}

extension JoinedID: Codable where Left: Codable, Right: Codable {}

/// Which rows without a partner a join shows.
///
/// Rows that have one are always shown.
public struct JoinKind<SectionID: Hashable & Sendable>: Hashable, Sendable {
  /// Whether those of the first list are shown.
  let keepsLeft: Bool
  /// The section of those of the second list; `nil` if these are not shown.
  let unmatched: SectionID?

  /// None.
  public static var inner: JoinKind { JoinKind(keepsLeft: false, unmatched: nil) }

  /// Those of the first list, in their places.
  public static var left: JoinKind { JoinKind(keepsLeft: true, unmatched: nil) }

  /// Those of the second list, in its order at the end of a section.
  ///
  /// - Parameter section: A section of the first list, or another one, which is then after all of them as long as
  ///   it has rows.
  public static func right(unmatchedIn section: SectionID) -> JoinKind {
    JoinKind(keepsLeft: false, unmatched: section)
  }

  /// Those of both lists.
  ///
  /// - Parameter section: The section of those of the second list, see ``right(unmatchedIn:)``.
  public static func full(unmatchedIn section: SectionID) -> JoinKind {
    JoinKind(keepsLeft: true, unmatched: section)
  }
}
