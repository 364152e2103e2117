import Diffable

/// The items that were announced to the content, and the scroll direction.
///
/// Items are identified by identity: a reset does not report where they have moved.
struct Prefetching {
  /// Items that were announced to the content and have not been requested since.
  private(set) var announced: Set<AnyItemID> = []
  /// Whether the user last scrolled forward.
  private(set) var isForward = true

  /// Records the direction in which the user has scrolled.
  mutating func didScroll(from old: Double, to new: Double) {
    if new != old { isForward = new > old }
  }

  /// Announces exactly these items; returns the new ones and those no longer announced.
  mutating func expect(
    _ items: [(path: ItemPath, identity: AnyItemID)]
  ) -> (new: [ItemPath], former: Set<AnyItemID>) {
    var next: Set<AnyItemID> = []
    let new = items.filter {
      next.insert($0.identity).inserted && !announced.contains($0.identity)
    }
    defer { announced = next }
    return (new.map(\.path), announced.subtracting(next))
  }

  /// Removes an item: it was requested from the content, or was deleted.
  mutating func forget(_ identity: AnyItemID) {
    announced.remove(identity)
  }
}
