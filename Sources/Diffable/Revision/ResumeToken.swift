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
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
