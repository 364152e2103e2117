/// The items whose children are being loaded, without any concurrency.
///
/// The wanted loads follow from the live state alone: the children of items that are expanded but
/// not loaded. So an edit needs no extra call to load something, to cancel a load or to try again.
struct ChildLoads<ItemID: Hashable & Sendable> {
  /// One request to the provider.
  struct Load: Hashable, Sendable {
    let item: ItemID
    let number: Int
  }

  private var loads = IdentifierMap<ItemID, Load>()
  private var count = 0

  /// The requests that have not been answered.
  var running: [Load] { loads.elements.map(\.value) }

  /// Follows the state: starts newly wanted loads and cancels those no longer wanted.
  ///
  /// - Parameter wanted: The items whose children are wanted, each once.
  mutating func follow(_ wanted: [ItemID]) -> (started: [Load], cancelled: [Load]) {
    var next = IdentifierMap<ItemID, Load>()
    var started: [Load] = []
    for item in wanted {
      if let load = loads[item] {
        loads[item] = nil
        next[item] = load
      } else {
        count += 1
        let load = Load(item: item, number: count)
        next[item] = load
        started.append(load)
      }
    }
    let cancelled = running
    loads = next
    return (started, cancelled)
  }

  /// Ends a load; returns whether it was still wanted.
  mutating func end(_ load: Load) -> Bool {
    guard loads[load.item]?.number == load.number else { return false }
    loads[load.item] = nil
    return true
  }
}
