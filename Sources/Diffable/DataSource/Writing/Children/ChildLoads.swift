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
  /// - Parameters:
  ///   - wanted: The items whose children are wanted, each once.
  ///   - renames: The items that have other names since the last call. Their loads go on.
  mutating func follow(
    _ wanted: [ItemID], _ renames: ItemRenames<ItemID> = ItemRenames()
  ) -> (started: [Load], cancelled: [Load]) {
    var next = IdentifierMap<ItemID, Load>()
    var started: [Load] = []
    for item in wanted {
      let former = loads[item] == nil ? renames.oldName(of: item) ?? item : item
      if let load = loads[former] {
        loads[former] = nil
        next[item] = Load(item: item, number: load.number)
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

  /// Ends a load.
  ///
  /// - Returns: The item, which may have another name by now; `nil` if the load is no longer wanted.
  mutating func end(_ load: Load) -> ItemID? {
    guard let item = running.first(where: { $0.number == load.number })?.item else { return nil }
    loads[item] = nil
    return item
  }
}
