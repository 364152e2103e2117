import Diffable

/// Which items the content expects to be shown soon, and which way the list goes.
///
/// Items are told apart by identity: a reset does not say where they have gone.
struct Prefetching {
  /// Items that the content was told of, and was not asked for since.
  private(set) var announced: Set<AnyItemID> = []
  /// Whether the user scrolled forward last.
  private(set) var isForward = true

  /// Takes note of which way the user has scrolled.
  mutating func didScroll(from old: Int, to new: Int) {
    if new != old { isForward = new > old }
  }

  /// Expects some items and no others; answers which of them are new, and which are expected no
  /// longer.
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

  /// Expects an item no longer: the content was asked for it, or it is gone.
  mutating func forget(_ identity: AnyItemID) {
    announced.remove(identity)
  }
}
