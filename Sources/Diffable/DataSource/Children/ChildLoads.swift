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

  private(set) var running: [ItemID: Load] = [:]
  private var count = 0

  /// Follows the state: what is wanted and not asked for is, what is no longer wanted is cancelled.
  ///
  /// - Parameter wanted: The items whose children are wanted, each once.
  mutating func follow(_ wanted: [ItemID]) -> (started: [Load], cancelled: [Load]) {
    let isWanted = Set(wanted)
    let cancelled = running.values.filter { !isWanted.contains($0.item) }
    for load in cancelled { running[load.item] = nil }
    var started: [Load] = []
    for item in wanted where running[item] == nil {
      count += 1
      let load = Load(item: item, number: count)
      running[item] = load
      started.append(load)
    }
    return (started, cancelled)
  }

  /// Ends a load; answers whether it was still wanted.
  mutating func end(_ load: Load) -> Bool {
    guard running[load.item] == load else { return false }
    running[load.item] = nil
    return true
  }
}
