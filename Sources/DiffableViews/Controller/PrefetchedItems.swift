/// Items that somebody was told to expect on the screen, and that are not there yet.
struct PrefetchedItems<ItemID: Hashable> {
  private var items: Set<ItemID> = []

  /// Adds items; answers which of them are new.
  mutating func add(_ others: [ItemID]) -> [ItemID] {
    others.filter { items.insert($0).inserted }
  }

  /// Forgets items; answers which of them were there.
  @discardableResult
  mutating func remove(_ others: [ItemID]) -> [ItemID] {
    others.filter { items.remove($0) != nil }
  }

  /// Forgets items that are gone; answers which.
  mutating func removeAll(where isGone: (ItemID) -> Bool) -> [ItemID] {
    remove(Array(items.filter(isGone)))
  }
}
