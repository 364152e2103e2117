public import Diffable

/// One change in a ``RevisionLog``.
///
/// A log keeps all of it, and looks at nothing but ``id`` and the size.
public struct LogEntry: Hashable, Sendable {
  /// The name of the write that made the change.
  public var id: WriteID
  /// The delta from the revision before, as JSON.
  ///
  /// It is empty if the log has something here that no participant has written. All participants get
  /// the same entry. It makes a revision that changes nothing.
  public var delta: [UInt8]
  /// The participant that made the change, see ``ReplicationOptions/author``; `nil` if it has no name.
  public var author: String?
  /// What the change is to undo and redo.
  public var kind: Kind

  /// Creates an entry.
  ///
  /// Without an author and a kind, it is an unnamed change, which undo does not revert.
  public init(
    id: WriteID, delta: [UInt8], author: String? = nil, kind: Kind = .change(name: nil)
  ) {
    (self.id, self.delta, self.author, self.kind) = (id, delta, author, kind)
  }

  /// What a change is to the undo and redo of its author.
  ///
  /// ``description`` is a text from which it can be made again, for logs that store texts.
  public enum Kind: Hashable, Sendable {
    /// A new change; undo reverts those that have a name.
    case change(name: String?)
    /// It reverts the changes of some revisions, newest first.
    case undo(of: [Revision])
    /// It reverts the undo that made a revision.
    case redo(of: Revision)
  }
}

extension LogEntry.Kind: LosslessStringConvertible {
  /// The kind as text: `change`, `change: NAME`, `undo: NUMBER` or `redo: NUMBER`.
  ///
  /// If several changes are reverted, it has their numbers, with a space between two of them.
  public var description: String {
    switch self {
    case .change(nil): "change"
    case .change(let name?): "change: \(name)"
    case .undo(let revisions):
      "undo: \(revisions.map { "\($0.number)" }.joined(separator: " "))"
    case .redo(let revision): "redo: \(revision.number)"
    }
  }

  /// Reads text that ``description`` returned; `nil` for any other text.
  public init?(_ description: String) {
    if description == "change" {
      self = .change(name: nil)
    } else if let name = Self.text(in: description, after: "change: ") {
      self = .change(name: name)
    } else if let revisions = Self.revisions(in: description, after: "undo: ") {
      self = .undo(of: revisions)
    } else if let revisions = Self.revisions(in: description, after: "redo: "),
      revisions.count == 1
    {
      self = .redo(of: revisions[0])
    } else {
      return nil
    }
  }

  private static func text(in description: String, after prefix: String) -> String? {
    // By bytes: the first character of a name may join with the space before it.
    guard description.utf8.starts(with: prefix.utf8) else { return nil }
    return String(Substring(description.utf8.dropFirst(prefix.utf8.count)))
  }

  private static func revisions(in description: String, after prefix: String) -> [Revision]? {
    guard let text = text(in: description, after: prefix) else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let numbers = words.compactMap { Int($0) }.filter { $0 >= 0 }
    return numbers.count == words.count ? numbers.map { Revision($0) } : nil
  }
}

extension LogEntry.Kind {
  init(_ kind: RevisionKind) {
    self =
      switch kind {
      case .change(let name, by: _): .change(name: name)
      case .nothing: .change(name: nil)
      case .undo(let revisions): .undo(of: revisions)
      case .redo(let revision): .redo(of: revision)
      }
  }
}

extension RevisionKind {
  init(_ kind: LogEntry.Kind) {
    self =
      switch kind {
      case .change(let name): .change(name: name)
      case .undo(let revisions): .undo(of: revisions)
      case .redo(let revision): .redo(of: revision)
      }
  }
}

/// A checksum of what a log stores, by which it notices that bytes were changed.
///
/// It is FNV-1a with 64 bits: it detects accidents, not attacks.
package struct Checksum: Hashable, Sendable {
  /// The checksum of what was added.
  package private(set) var bits: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Creates the checksum of no bytes.
  package init() {}

  /// Creates the checksum of bytes.
  package init(of bytes: [UInt8]) {
    add(bytes)
  }

  /// Adds bytes.
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    var sum = bits
    for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    bits = sum
  }

  /// Adds a number, as eight bytes.
  package mutating func add(_ number: some FixedWidthInteger) {
    let number = UInt64(truncatingIfNeeded: number)
    add((0..<8).lazy.map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }

  /// Adds text, and whether there is one.
  ///
  /// The length is added too, so that two texts in a row have another checksum than one.
  package mutating func add(_ text: String?) {
    add(text?.utf8.count ?? -1)
    if let text { add(text.utf8) }
  }
}
