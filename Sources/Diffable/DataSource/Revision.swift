/// The number of a state that a data source has gone through.
///
/// Revision 0 is the empty source. Every apply or update that changes something makes the next one.
public struct Revision: Hashable, Comparable, Codable, Sendable {
  /// The number, from 0.
  public let number: Int

  /// Creates the revision with a number, for example one that was stored.
  public init(_ number: Int) {
    self.number = number
  }

  /// The revision of every source before its first change.
  public static let empty = Revision(0)

  /// The revision that the next change makes.
  var next: Revision { Revision(number + 1) }
  var previous: Revision { Revision(number - 1) }

  /// Orders revisions by age, oldest first.
  public static func < (left: Revision, right: Revision) -> Bool {
    left.number < right.number
  }

  /// Reads a bare number.
  ///
  /// - Throws: `DecodingError` if there is something else, or the number is negative or not less
  ///   than 2^53 − 1, as no revision is.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(try container.decode(Int.self))
    guard SnapshotDifference.positions.contains(number) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "No revision has the number \(number).")
    }
  }

  /// Writes a bare number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}

extension Revision: CustomStringConvertible {
  /// The number with an `r` before it, such as `r12`.
  public var description: String { "r\(number)" }
}
