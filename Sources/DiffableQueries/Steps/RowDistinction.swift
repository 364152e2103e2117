import Diffable

/// Which rows of a step have equal keys.
class RowDistinction<ItemID: Hashable & Sendable> {
  /// Whether the first of two rows is before the other, in one state of the list.
  typealias Order = (ItemID, ItemID) -> Bool

  /// The rows with one key, before and after a change.
  struct Change {
    /// The first row before the change.
    let former: ItemID?
    /// The first row now.
    let first: ItemID?
    /// The numbers of the inserted rows that have the key.
    var inserted: [Int] = []
  }

  /// Forgets all rows.
  func removeAll() {}

  /// Adds a row after all others; returns whether it is the first with its key.
  func insert(_ row: RowPlace) -> Bool { true }

  /// Replaces rows.
  ///
  /// - Parameters:
  ///   - before: The order of the rows that there were.
  ///   - after: The order of the rows that there are then; rows that stay have the same in both.
  /// - Returns: What changed for each key of a removed or inserted row.
  func replace(
    _ removed: [RowPlace], _ before: Order, by inserted: [RowPlace], _ after: Order
  ) -> [Change] { [] }

  /// Rows with the key of a first row: the row is the first as long as it is before these.
  func rivals(of first: ItemID) -> [ItemID] { [] }
}

/// The same, in code that knows the type of the keys.
final class KeyedRows<Key: Hashable & Sendable, ItemID: Hashable & Sendable>: RowDistinction<
  ItemID
>
{
  private let key: @Sendable (UnsafeRawPointer) -> Key
  private var groups = IdentifierMap<Key, Int>()
  private var heaps = RowHeaps<ItemID>()

  init<Element>(_ key: @escaping @Sendable (Element) -> Key) {
    self.key = { lend($0, to: key) }
  }

  override func removeAll() { (groups, heaps) = (IdentifierMap(), RowHeaps()) }

  override func insert(_ row: RowPlace) -> Bool {
    let group = group(of: key(row.element))
    defer { heaps.append(row.item(), to: group) }
    return heaps.first(of: group) == nil
  }

  override func replace(
    _ removed: [RowPlace], _ before: Order, by inserted: [RowPlace], _ after: Order
  ) -> [Change] {
    let removedKeys = removed.map { key($0.element) }
    let insertedKeys = inserted.map { key($0.element) }
    var former = IdentifierMap<Key, (first: ItemID?, inserted: [Int])>()
    for key in removedKeys where former[key] == nil {
      former[key] = (groups[key].flatMap { heaps.first(of: $0) }, [])
    }
    for (number, key) in insertedKeys.enumerated() {
      former.change(key, default: (groups[key].flatMap { heaps.first(of: $0) }, [])) {
        $0.inserted.append(number)
      }
    }
    for (row, key) in zip(removed, removedKeys) {
      if let group = groups[key] { heaps.remove(row.item(), from: group, before) }
    }
    for (row, key) in zip(inserted, insertedKeys) {
      heaps.insert(row.item(), in: group(of: key), after)
    }
    return former.elements.map { key, was in
      let first = groups[key].flatMap { heaps.first(of: $0) }
      if first == nil, let group = groups[key] {
        groups[key] = nil
        heaps.release(group)
      }
      return Change(former: was.first, first: first, inserted: was.inserted)
    }
  }

  override func rivals(of first: ItemID) -> [ItemID] { heaps.next(after: first) }

  private func group(of key: Key) -> Int {
    if let group = groups[key] { return group }
    let group = heaps.make()
    groups[key] = group
    return group
  }
}

extension StepChange {
  /// Adds the rows that become the first with their key, or stop being it, and records those that
  /// are not the first.
  ///
  /// - Complexity: O(c · log m · log n) for c changed rows of n, and m rows with a key.
  mutating func addRepeated(
    _ distinction: RowDistinction<ItemID>, to rows: inout ChangedRows
  ) {
    let removed = rows.leaving + rows.updated.compactMap(map.oldPath(forNew:))
    let changed = rows.entering + rows.updated
    // Rows are looked up in the new input only: the old one may have lost its table.
    var formerPaths = IdentifierMap<ItemID, ItemPath>()
    for path in removed { formerPaths[old.row(at: path).item()] = path }
    func oldPath(_ item: ItemID) -> ItemPath? {
      formerPaths[item] ?? new.itemPath(for: item).flatMap(map.oldPath(forNew:))
    }
    func isBefore(_ left: ItemPath?, _ right: ItemPath?) -> Bool {
      if let left, let right { left < right } else { false }
    }
    let changes = distinction.replace(
      removed.map(old.row(at:)), { isBefore(oldPath($0), oldPath($1)) },
      by: changed.map(new.row(at:)),
      { isBefore(new.itemPath(for: $0), new.itemPath(for: $1)) })
    let known = Set(changed)
    for change in changes {
      let first = change.first.flatMap(new.itemPath(for:))
      for number in change.inserted where changed[number] != first {
        repeated.insert(new.row(at: changed[number]).item())
      }
      for item in [change.former, change.first] {
        guard let item, let path = new.itemPath(for: item), !known.contains(path) else { continue }
        let isFirst = path == first
        if !isFirst { repeated.insert(item) }
        if isFirst != output.containsItem(item) { rows.updated.append(path) }
      }
    }
  }
}
