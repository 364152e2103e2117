/// How a row of an outline is drawn: its level, and whether its children show.
///
/// If the disclosure of a visible row changes, the batch that changes it reconfigures the row.
public struct Disclosure: Hashable, Sendable {
  /// The sign in front of a row that tells whether its children show.
  public enum Sign: String, CaseIterable, Hashable, Sendable {
    /// Nothing: there are no children.
    case leaf
    /// The children are hidden.
    case collapsed
    /// The children show below the row.
    case expanded
    /// The children are to be shown, but are not loaded yet.
    case loading
  }

  /// The number of ancestors.
  public var level: Int
  /// The sign in front of the row.
  public var sign: Sign

  /// Creates the disclosure of a row.
  public init(level: Int = 0, sign: Sign = .leaf) {
    self.level = level
    self.sign = sign
  }

  /// Whether the row has children that can be shown.
  public var isExpandable: Bool { sign != .leaf }

  /// Whether the children show, or will show when they are loaded.
  public var isExpanded: Bool { sign == .expanded || sign == .loading }
}
