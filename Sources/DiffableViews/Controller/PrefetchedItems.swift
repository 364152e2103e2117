/// Items that were announced to the prefetch handler and have not appeared yet.
///
/// Identifiers are compared and released while no access to them is exclusive: code of the user may
/// report other items then.
@MainActor
final class PrefetchedItems<ItemID: Hashable> {
  private var items: Set<ItemID> = []

  /// Adds items; returns those that are new.
  func add(_ others: [ItemID]) -> [ItemID] {
    var next = items
    defer { swap(&items, &next) }
    return others.filter { next.insert($0).inserted }
  }

  /// Removes items; returns those that were present.
  @discardableResult
  func remove(_ others: [ItemID]) -> [ItemID] {
    var next = items
    defer { swap(&items, &next) }
    return others.filter { next.remove($0) != nil }
  }

  /// Removes deleted items; returns them.
  func removeAll(where isGone: (ItemID) -> Bool) -> [ItemID] {
    remove(Array(items.filter(isGone)))
  }
}
