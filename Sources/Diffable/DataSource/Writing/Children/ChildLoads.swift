/// Which items a provider is being asked about, without any concurrency.
///
/// What is wanted follows from the live state alone: the children of items that are expanded while
/// their children are not loaded. So an edit says nothing special to load something, to cancel it or
/// to try again.
struct ChildLoads<ItemID: Hashable & Sendable> {
  /// One question to the provider.
  struct Load: Hashable, Sendable {
    let item: ItemID
    let number: Int
  }

  private var loads = IdentifierMap<ItemID, Load>()
  private var count = 0

  /// The questions that have not been answered.
  var running: [Load] { loads.elements.map(\.value) }

  /// Follows the state: what is wanted and not asked for is, what is no longer wanted is cancelled.
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

  /// Ends a load; answers whether it was still wanted.
  mutating func end(_ load: Load) -> Bool {
    guard loads[load.item]?.number == load.number else { return false }
    loads[load.item] = nil
    return true
  }
}
