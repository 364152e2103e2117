/// How a row of an outline is drawn beside its neighbours: how deep it stands, and whether its children
/// show.
///
/// A visible row whose disclosure has changed is reconfigured by the batch that changed it.
public struct Disclosure: Hashable, Sendable {
  /// What stands before the children of a row.
  public enum Sign: String, CaseIterable, Hashable, Sendable {
    /// Nothing: there are no children.
    case leaf
    /// The children are folded away.
    case collapsed
    /// The children show below the row.
    case expanded
    /// The children are to show, and are not loaded yet.
    case loading
  }

  /// The number of ancestors.
  public var level: Int
  /// What stands before the children.
  public var sign: Sign

  /// Creates the disclosure of a row.
  public init(level: Int = 0, sign: Sign = .leaf) {
    self.level = level
    self.sign = sign
  }

  /// Answers whether there is anything to unfold.
  public var isExpandable: Bool { sign != .leaf }

  /// Answers whether the children show, or are to.
  public var isExpanded: Bool { sign == .expanded || sign == .loading }
}

extension Outline {
  /// How the row of an item is drawn, hidden or not; `nil` for an unknown item.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func disclosure(of item: ItemID) -> Disclosure? {
    position(of: item).map(disclosure(at:))
  }

  func disclosure(at position: Int) -> Disclosure {
    let row = rows[position]
    let sign: Disclosure.Sign =
      if row.isLoading {
        .loading
      } else if row.hasUnloadedChildren || hasChildren(at: position) {
        row.isExpanded ? .expanded : .collapsed
      } else {
        .leaf
      }
    return Disclosure(level: Int(row.level), sign: sign)
  }
}
