/// The name of a write that was made in another process: 128 bits, of which at least 96 are random.
///
/// A write that arrives twice under one name is made once. Its writer recognizes it by the name, even
/// if the answer was lost.
public struct WriteID: Hashable, Sendable {
  let high: UInt64
  let low: UInt64

  /// Makes a name that no other write has.
  public init() {
    var random = SystemRandomNumberGenerator()
    self.init(using: &random)
  }

  /// Makes a name from a generator, for tests that can be repeated.
  public init(using random: inout some RandomNumberGenerator) {
    (high, low) = (random.next(), random.next())
  }

  /// Makes a name that no other write has, for a participant of a shared list.
  package init(of participant: UInt32, using random: inout some RandomNumberGenerator) {
    (high, low) = (UInt64(participant) << 32 | random.next() >> 32, random.next())
  }

  /// The number of the participant that made it; any number if somebody else did.
  package var participant: UInt32 { UInt32(truncatingIfNeeded: high >> 32) }

  /// Random bits by which all that know the name can decide the same.
  package var lot: UInt8 { UInt8(truncatingIfNeeded: low) }

  /// The name of message `number` of a log, which is not an entry; the same for all participants.
  package init(ofForeignMessage number: UInt64) {
    (high, low) = (0, number)
  }
}

extension HistoryPlace {
  /// The place after the entry of a write.
  package func next(_ id: WriteID) -> HistoryPlace {
    HistoryPlace(revision: revision.next, digest: digest.appending(id.high, id.low))
  }
}

extension WriteID: LosslessStringConvertible {
  /// The name as 22 characters, all of them letters, digits, `-` and `_`.
  public var description: String { Base64URL.text(of: [high, low]) }

  /// Parses text that ``description`` returned; `nil` for any other text.
  public init?(_ description: String) {
    guard let words = Base64URL.words(of: description, count: 2) else { return nil }
    (high, low) = (words[0], words[1])
  }
}

extension WriteID: Codable {
  /// Reads the text that ``description`` returned.
  ///
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeText(of: "a name of a write")
  }

  /// Writes ``description``.
  public func encode(to encoder: any Encoder) throws {
    try description.encode(to: encoder)
  }
}
