/// The name of a state outside the process: a revision in an epoch of a source.
///
/// A subscriber stores the token of the last batch that it showed, and resumes after it, even if
/// the subscriber's own process was started again in between:
///
/// ```swift
/// let token = batch.token.description                            // goes to a file, a client, a URL
/// let batches = source.updates(after: ResumeToken(token))        // comes back
/// ```
///
/// A token can be any text, so you need not check it. A source accepts its own tokens as long as
/// its history has the revision. Any other token gives a reset: a token of another epoch or another
/// source, of a revision that is no longer or not yet in the history, and text that is not a token.
///
/// The text is opaque. It is the same for the same state, and has 32 characters, or 43 in a list that
/// several servers share: letters, digits, `-` and `_`, which URLs, headers and file names accept
/// unescaped. A token with one character changed or lost names no state of the source.
///
/// The longer token also has a digest of the log. If the servers of a log have lost entries and accepted
/// others in their place, the same revision has another token.
public struct ResumeToken: Hashable, Sendable {
  private let text: String

  package init(epoch: Epoch, revision: Revision) {
    self.init(epoch: epoch, place: HistoryPlace(revision: revision, digest: .none))
  }

  package init(epoch: Epoch, place: HistoryPlace) {
    let number = UInt64(bitPattern: Int64(place.revision.number))
    // A number that was changed, but not its mask, gives another epoch.
    let mask = number.mixed
    let words = [number, epoch.high ^ mask, epoch.low ^ mask]
    text = Base64URL.text(of: place.digest == .none ? words : words + [place.digest.bits])
  }

  /// What the token says; `nil` if the text is not a token.
  package var parts: (epoch: Epoch, place: HistoryPlace)? {
    let words = Base64URL.words(of: text, count: 3) ?? Base64URL.words(of: text, count: 4)
    guard let words, let number = Int(exactly: words[0]), ItemPath.indices.contains(number),
      words.count == 3 || words[3] != 0
    else { return nil }
    let mask = words[0].mixed
    let digest = words.count == 3 ? .none : HistoryDigest(bits: words[3])
    return (
      Epoch(high: words[1] ^ mask, low: words[2] ^ mask),
      HistoryPlace(revision: Revision(number), digest: digest)
    )
  }
}

extension ResumeToken: LosslessStringConvertible {
  /// The text of the token.
  public var description: String { text }

  /// Accepts any text as a token.
  ///
  /// Text that is not a token names no state.
  public init(_ description: String) {
    text = description
  }
}

extension ResumeToken: Codable {
  /// Reads any string.
  public init(from decoder: any Decoder) throws {
    self.init(try String(from: decoder))
  }

  /// Writes a string.
  public func encode(to encoder: any Encoder) throws {
    try text.encode(to: encoder)
  }
}

/// Text for URLs, headers and file names, without escaping: Base64 as in RFC 4648, section 5.
///
/// Each character holds six bits, and there is no padding. Each sequence of words has exactly one
/// text.
enum Base64URL {
  /// The text of some words, the highest bits first.
  static func text(of words: [UInt64]) -> String {
    let count = (words.count * 64 + 5) / 6
    return String(unsafeUninitializedCapacity: count) { text in
      for index in 0..<count {
        let (word, offset) = (index * 6 / 64, index * 6 % 64)
        let next = word + 1 < words.count ? words[word + 1] : 0
        // The six bits may continue in the next word. A shift by 64 gives 0.
        text[index] = character(for: (words[word] << offset | next >> (64 - offset)) >> 58)
      }
      return count
    }
  }

  /// The words of a text; `nil` if it is not a text of that number of words.
  ///
  /// - Complexity: O(1) for a text of another length.
  static func words(of text: String, count: Int) -> [UInt64]? {
    guard text.utf8.count == (count * 64 + 5) / 6 else { return nil }
    var words = [UInt64](repeating: 0, count: count)
    for (index, character) in text.utf8.enumerated() {
      guard let bits = bits(of: character) else { return nil }
      let (word, offset) = (index * 6 / 64, index * 6 % 64)
      words[word] |= (bits << 58) >> offset
      let rest = offset > 58 ? bits << (122 - offset) : 0
      if word + 1 < count {
        words[word + 1] |= rest
      } else if rest != 0 {
        return nil
      }
    }
    return words
  }

  private static func character(for bits: UInt64) -> UInt8 {
    let all: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return all.utf8Start[Int(truncatingIfNeeded: bits & 63)]
  }

  private static func bits(of character: UInt8) -> UInt64? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

/// The identity of the history of a source: 128 random bits.
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
    self = try decoder.decodeText(of: "an epoch")
  }

  /// Writes ``description`` as a string.
  public func encode(to encoder: any Encoder) throws {
    try description.encode(to: encoder)
  }
}

extension Decoder {
  /// Reads a value from its text.
  ///
  /// - Parameter kind: What the text should be the text of, for the error.
  func decodeText<Value: LosslessStringConvertible>(of kind: String) throws -> Value {
    let text = try singleValueContainer().decode(String.self)
    guard let value = Value(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "“\(text)” is not \(kind)."))
    }
    return value
  }
}

extension UInt64 {
  /// Bits that depend on all bits of the number, and that differ for each number.
  ///
  /// It is the last step of SplitMix64.
  var mixed: UInt64 {
    var bits = self
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
