/// The place of an item: the index of its section and its index inside that section.
///
/// A path belongs to one *index space*: the state before a batch (old) or the state after it (new).
/// The declaration that holds a path says which.
public struct ItemPath: Hashable, Comparable, Sendable {
  /// The index of the section among all sections, from 0.
  public var section: Int

  /// The index of the item inside its section, from 0.
  public var item: Int

  /// Creates a path from a section index and an index inside that section.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Orders paths by section, then by item inside the section.
  public static func < (left: ItemPath, right: ItemPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}

extension ItemPath {
  /// All possible section indices, and all possible item indices inside a section.
  ///
  /// Their upper bound is a number that JavaScript and other readers of JSON represent exactly. The
  /// sum of a few of them never overflows.
  package static let indices = 0..<Int(min((1 as Int64) << 53 - 1, Int64(Int.max / 4)))

  /// Whether the path is possible in any snapshot.
  var isPossible: Bool { Self.indices.contains(section) && Self.indices.contains(item) }
}

extension ItemPath: CustomStringConvertible {
  /// The two indices, as batches and differences print them: `2:5`.
  public var description: String { "\(section):\(item)" }
}

extension ItemPath: Codable {
  private enum CodingKeys: String, CodingKey {
    case section
    case item
  }

  /// Reads `{"section", "item"}`.
  ///
  /// - Throws: `DecodingError` if the data is invalid, or an index is negative or not less than
  ///   2^53 − 1.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    section = try container.decode(Int.self, forKey: .section)
    item = try container.decode(Int.self, forKey: .item)
    guard isPossible else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath,
          debugDescription: "No item can be at index \(item) of section \(section)."))
    }
  }
}

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
