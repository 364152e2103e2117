/// The name of a state outside the process: a revision in an epoch of a source.
///
/// A subscriber stores the token of the last batch that it showed, and resumes after it, even if
/// the source has been restarted meanwhile:
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
/// The text is opaque. It is the same for the same state, and has 32 characters: letters, digits,
/// `-` and `_`, which URLs, headers and file names accept unescaped. A token with one character
/// changed or lost names no state of the source.
public struct ResumeToken: Hashable, Sendable {
  private let text: String

  package init(epoch: Epoch, revision: Revision) {
    let number = UInt64(bitPattern: Int64(revision.number))
    // A number that was changed, but not its mask, gives another epoch.
    let mask = Self.mask(number)
    text = Base64URL.text(of: [number, epoch.high ^ mask, epoch.low ^ mask])
  }

  /// The epoch and the revision; `nil` if the text is not a token.
  var parts: (epoch: Epoch, revision: Revision)? {
    guard let words = Base64URL.words(of: text, count: 3),
      let number = Int(exactly: words[0]), ItemPath.indices.contains(number)
    else { return nil }
    let mask = Self.mask(words[0])
    return (Epoch(high: words[1] ^ mask, low: words[2] ^ mask), Revision(number))
  }

  /// The revision, if it belongs to this epoch.
  func revision(in epoch: Epoch) -> Revision? {
    parts.flatMap { $0.epoch == epoch ? $0.revision : nil }
  }

  /// Bits that depend on all bits of a number, and that differ for each number.
  private static func mask(_ number: UInt64) -> UInt64 {
    var bits = number
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
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
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
