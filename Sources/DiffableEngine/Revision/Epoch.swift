/// The identity of one life of a source: 128 random bits.
///
/// A ``Revision`` is a number. After a restart, or in another source, the same number is a
/// different state. The epoch tells them apart: a ``ResumeToken`` is a revision of an epoch.
///
/// A source has a new epoch unless it is created with one. Store it as text, with
/// `description` or `Codable`.
public struct Epoch: Hashable, Sendable {
  let high: UInt64
  let low: UInt64

  /// Makes an epoch that no other source has.
  public init() {
    var random = SystemRandomNumberGenerator()
    self.init(high: random.next(), low: random.next())
  }

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

extension Epoch: LosslessStringConvertible {
  /// The epoch as 22 characters, all of them letters, digits, `-` and `_`.
  public var description: String { Base64URL.text(of: [high, low]) }

  /// Parses text that ``description`` returned; `nil` for any other text.
  public init?(_ description: String) {
    guard let words = Base64URL.words(of: description, count: 2) else { return nil }
    self.init(high: words[0], low: words[1])
  }
}

extension Epoch: Codable {
  /// Reads a string in the format of ``description``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let epoch = Epoch(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is not an epoch.")
    }
    self = epoch
  }

  /// Writes ``description`` as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
