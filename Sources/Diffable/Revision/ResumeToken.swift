/// The name of a state outside of the process: a revision of one life of one source.
///
/// A subscriber stores the token of the batch that it showed last, and resumes after it, even when
/// the source has been restarted meanwhile:
///
/// ```swift
/// let token = batch.token.description                            // goes to a file, a client, a URL
/// let batches = source.updates(after: ResumeToken(token))        // comes back
/// ```
///
/// A token is any text, so nothing has to be checked. A source takes up its own tokens as long as
/// its history has the revision. Any other token gives a reset: one of another life or another
/// source, one of a revision that is forgotten or still to come, and text that never was a token.
///
/// The text is opaque. It is the same for the same state, and has 32 characters: letters, digits,
/// `-` and `_`, which URLs, headers and file names take as they are. A token of which one character
/// was changed or lost names no state of the source.
public struct ResumeToken: Hashable, Sendable {
  private let text: String

  package init(epoch: Epoch, revision: Revision) {
    let number = UInt64(bitPattern: Int64(revision.number))
    // A changed number without its mask is another epoch.
    let mask = Self.mask(number)
    text = Base64URL.text(of: [number, epoch.high ^ mask, epoch.low ^ mask])
  }

  /// The epoch and the revision; `nil` if the text was never a token.
  var parts: (epoch: Epoch, revision: Revision)? {
    guard let words = Base64URL.words(of: text, count: 3),
      let number = Int(exactly: words[0]), ItemPath.indices.contains(number)
    else { return nil }
    let mask = Self.mask(words[0])
    return (Epoch(high: words[1] ^ mask, low: words[2] ^ mask), Revision(number))
  }

  /// The revision, if it is one of this epoch.
  func revision(in epoch: Epoch) -> Revision? {
    parts.flatMap { $0.epoch == epoch ? $0.revision : nil }
  }

  /// Bits that depend on all bits of a number, different ones for each number.
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

  /// Takes any text for a token.
  ///
  /// What never was a token names no state.
  public init(_ description: String) {
    text = description
  }
}

extension ResumeToken: Codable {
  /// Reads a string, whatever it says.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
