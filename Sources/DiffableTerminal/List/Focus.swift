import Diffable

/// The item that the next key acts on, if there is one.
struct Focus {
  private(set) var path: ItemPath?
  /// The identity of the item, to find it again when the list is shown from scratch.
  private(set) var identity: AnyItemID?
  /// The identity of the item that had the focus before the batch that is being shown, if its row is
  /// gone: a later stage may bring it back.
  private(set) var awaited: AnyItemID?
  /// Whether this item was in sight before the batch.
  private(set) var isAwaitedInSight = false
  /// The position across the list that keys moving along the list keep.
  private(set) var goal = 0.0

  /// Moves to another item.
  mutating func move(to path: ItemPath, _ identity: AnyItemID?, goal: Double) {
    (self.path, self.identity, self.goal) = (path, identity, goal)
    (awaited, isAwaitedInSight) = (nil, false)
  }

  /// Keeps its position across the list, and follows its item or the item that replaces it.
  mutating func follow(
    to path: ItemPath?, _ identity: AnyItemID?, awaiting awaited: AnyItemID?, wasInSight: Bool
  ) {
    (self.path, self.identity, self.awaited) = (path, identity, awaited)
    isAwaitedInSight = awaited != nil && wasInSight
  }

  mutating func remove() { self = Focus() }
}
