import Diffable

/// The item that the next key acts on, if there is one.
struct Focus {
  private(set) var path: ItemPath?
  /// The identity of the item, to find it again when the list is shown from scratch.
  private(set) var identity: AnyItemID?
  /// The position across the list that keys moving along the list keep.
  private(set) var goal = 0.0

  /// Moves to another item.
  mutating func move(to path: ItemPath, _ identity: AnyItemID?, goal: Double) {
    (self.path, self.identity, self.goal) = (path, identity, goal)
  }

  /// Keeps its position across the list, and follows its item or the item that replaces it.
  mutating func follow(to path: ItemPath, _ identity: AnyItemID?) {
    (self.path, self.identity) = (path, identity)
  }

  mutating func remove() { self = Focus() }
}
