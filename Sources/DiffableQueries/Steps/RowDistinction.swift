import Diffable

/// Which rows of a step have equal keys.
class RowDistinction<ItemID: Hashable & Sendable> {
  /// Forgets all rows.
  func removeAll() {}

  /// Adds a row; returns whether it is the first with its key.
  func insert(_ row: RowPlace) -> Bool { true }

  /// Replaces rows.
  ///
  /// - Returns: The rows that there are then, by key, for each key of a removed or inserted row.
  func replace(_ removed: [RowPlace], by inserted: [RowPlace]) -> [[ItemID]] { [] }
}

/// The same, in code that knows the type of the keys.
final class KeyedRows<Key: Hashable & Sendable, ItemID: Hashable & Sendable>: RowDistinction<
  ItemID
>
{
  private let key: @Sendable (UnsafeRawPointer) -> Key
  private var rows = IdentifierRelation<Key, ItemID>()

  init<Element>(_ key: @escaping @Sendable (Element) -> Key) {
    self.key = { lend($0, to: key) }
  }

  override func removeAll() { rows = IdentifierRelation() }

  override func insert(_ row: RowPlace) -> Bool { rows.insert(row.item(), for: key(row.element)) }

  override func replace(_ removed: [RowPlace], by inserted: [RowPlace]) -> [[ItemID]] {
    var keys = IdentifierSet<Key>()
    for row in removed {
      let key = key(row.element)
      keys.insert(key)
      rows.remove(row.item(), for: key)
    }
    for row in inserted {
      let key = key(row.element)
      keys.insert(key)
      _ = rows.insert(row.item(), for: key)
    }
    return keys.inOrder.map { rows[$0] }
  }
}

extension StepChange {
  /// Adds the rows that become the first with their key, or stop being it, and records those that
  /// are not the first.
  ///
  /// - Complexity: O(m · log n) for m of n rows that have the key of a changed row.
  mutating func addRepeated(
    _ distinction: RowDistinction<ItemID>, to rows: inout ChangedRows
  ) {
    let before = rows.updated.compactMap(map.oldPath(forNew:))
    let changed = rows.entering + rows.updated
    let groups = distinction.replace(
      (rows.leaving + before).map(old.row(at:)), by: changed.map(new.row(at:)))
    let known = Set(changed)
    for group in groups {
      let paths = group.map(new.itemPath(for:))
      guard let first = paths.compactMap({ $0 }).min() else { continue }
      for (item, path) in zip(group, paths) {
        guard let path else { continue }
        let isFirst = path == first
        if !isFirst { repeated.insert(item) }
        if isFirst != output.containsItem(item), !known.contains(path) { rows.updated.append(path) }
      }
    }
  }
}
