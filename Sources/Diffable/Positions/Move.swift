/// A position that an element leaves and the one it goes to.
///
/// `from` is in the old index space, `to` in the new one.
public struct Move<Position: Hashable & Sendable>: Hashable, Sendable {
  /// Where the element stood, in the old index space.
  public var from: Position

  /// Where the element stands, in the new index space.
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
