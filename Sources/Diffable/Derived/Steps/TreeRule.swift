/// How the rows of a section become a tree.
struct TreeRule<ItemID: Hashable & Sendable>: Sendable {
  let parents: RowParents<ItemID>
  /// Whether rows come expanded.
  let isExpanded: Bool

  /// The identifier that a row names as its parent; nobody is their own.
  func parent(of row: RowPlace) -> ItemID? {
    guard let parent = parents.parent(row.element), parent != row.item() else { return nil }
    return parent
  }
}

/// Which row each row is below; compiled where the type of the elements is known.
@usableFromInline struct RowParents<ItemID: Hashable & Sendable>: Sendable {
  let parent: @Sendable (UnsafeRawPointer) -> ItemID?

  @inlinable init<Element>(
    _ type: Element.Type, _ parent: @escaping @Sendable (Element) -> ItemID?
  ) {
    self.init { lend($0.borrowed(as: Element.self).pointee, to: parent) }
  }

  @usableFromInline init(parent: @escaping @Sendable (UnsafeRawPointer) -> ItemID?) {
    self.parent = parent
  }
}

/// What a step knows of the trees that it made, and these do not say.
struct TreeMemory<ItemID: Hashable & Sendable> {
  /// The rows of all sections that name a parent which is not in theirs, by that.
  var orphans = IdentifierRelation<ItemID, ItemID>()
  /// Whether some rows named each other in a circle.
  var hasCircles = false
}

/// Which rows of trees somebody has expanded or collapsed.
struct ExpansionFlags<ItemID: Hashable & Sendable>: Sendable {
  private var flags = IdentifierMap<ItemID, Bool>()
  /// Those of which the trees do not know yet.
  private(set) var news: [ItemID] = []

  mutating func set(_ isExpanded: Bool, for items: some Sequence<ItemID>) {
    for item in items {
      flags[item] = isExpanded
      news.append(item)
    }
  }

  /// Whether a row is expanded; `nil` if it is as it came.
  subscript(item: ItemID) -> Bool? { flags[item] }

  /// Says that the trees know of all.
  mutating func didTell() { news = [] }
}
