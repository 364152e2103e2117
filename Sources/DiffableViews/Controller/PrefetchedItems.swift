/// Items that were announced to the prefetch handler and have not appeared yet.
struct PrefetchedItems<ItemID: Hashable> {
  private var items: Set<ItemID> = []

  /// Adds items; returns those that are new.
  mutating func add(_ others: [ItemID]) -> [ItemID] {
    others.filter { items.insert($0).inserted }
  }

  /// Removes items; returns those that were present.
  @discardableResult
  mutating func remove(_ others: [ItemID]) -> [ItemID] {
    others.filter { items.remove($0) != nil }
  }

  /// Removes deleted items; returns them.
  mutating func removeAll(where isGone: (ItemID) -> Bool) -> [ItemID] {
    remove(Array(items.filter(isGone)))
  }
}
