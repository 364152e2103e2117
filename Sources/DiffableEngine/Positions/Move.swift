/// The source and the target of a moved element.
///
/// `from` is in the old index space, `to` in the new one.
public struct Move<Position: Hashable & Sendable>: Hashable, Sendable {
  /// The position before the move, in the old index space.
  public var from: Position

  /// The position after the move, in the new index space.
  public var to: Position

  /// Creates a move from an old position to a new one.
  public init(from: Position, to: Position) {
    self.from = from
    self.to = to
  }

  /// The move that takes this one back.
  public var inverse: Move {
    Move(from: to, to: from)
  }
}

extension Move: Codable where Position: Codable {}
