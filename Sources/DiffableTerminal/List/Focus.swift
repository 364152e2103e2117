import Diffable

/// The item that the next key acts on, if there is one.
struct Focus {
  private(set) var path: ItemPath?
  /// What identifies the item, to find it again when the list is shown from scratch.
  private(set) var identity: AnyItemID?
  /// Where across the list the keys that move along it go on.
  private(set) var goal = 0.0

  /// Goes to another item.
  mutating func move(to path: ItemPath, _ identity: AnyItemID?, goal: Double) {
    (self.path, self.identity, self.goal) = (path, identity, goal)
  }

  /// Stays where it is across the list, with its item or one that takes the place of that.
  mutating func follow(to path: ItemPath, _ identity: AnyItemID?) {
    (self.path, self.identity) = (path, identity)
  }

  mutating func remove() { self = Focus() }
}
