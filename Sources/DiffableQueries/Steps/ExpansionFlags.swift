import Diffable

/// The rows of trees that were explicitly expanded or collapsed.
struct ExpansionFlags<ItemID: Hashable & Sendable>: Sendable {
  private var flags = IdentifierMap<ItemID, Bool>()
  /// Flags that have not been applied to the trees yet.
  private(set) var news = IdentifierSet<ItemID>()
  /// The rows that were not there when they were last expanded or collapsed.
  ///
  /// Such a row may be one that the base has renamed and that is still shown under its old identifier.
  private var early = IdentifierSet<ItemID>()

  /// - Parameter isThere: Whether a row is shown.
  mutating func set(
    _ isExpanded: Bool, for items: some Sequence<ItemID>, isThere: (ItemID) -> Bool
  ) {
    for item in items {
      flags[item] = isExpanded
      news.insert(item)
      if isThere(item) { early.remove(item) } else { early.insert(item) }
    }
  }

  /// Lets the flags follow rows that have other identifiers now.
  func following(_ renames: [ItemRename<ItemID>]) -> ExpansionFlags {
    guard !renames.isEmpty, !flags.isEmpty else { return self }
    var next = self
    var names = IdentifierMap<ItemID, ItemID>()
    for rename in renames {
      names[rename.old] = rename.new
      next.flags[rename.old] = nil
    }
    next.news = IdentifierSet(news.inOrder.map { names[$0] ?? $0 })
    for rename in renames {
      if early.contains(rename.new), names[rename.new] == nil {
        next.news.insert(rename.new)
      } else {
        // What is remembered of a row that had the new identifier before is forgotten.
        next.flags[rename.new] = flags[rename.old]
      }
      next.early.remove(rename.old)
      next.early.remove(rename.new)
    }
    return next
  }

  /// Whether a row is expanded; `nil` if it was never expanded or collapsed explicitly.
  subscript(item: ItemID) -> Bool? { flags.isEmpty ? nil : flags[item] }

  /// Records that all flags have been applied to the trees.
  mutating func didTell() { news = IdentifierSet() }
}
