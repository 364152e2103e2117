import Diffable

/// Groups of rows, each with its first row on top.
///
/// Each group is a binary heap. Rows that stay keep their order, so a heap stays one while the list
/// is edited elsewhere, although all positions change:
///
///     list a b c d    heap of a, c, d: a       list x a y c d    the same heap
///                                     c d
///
/// Invariant: a row that is in a group has its place in `places`.
struct RowHeaps<ItemID: Hashable & Sendable> {
  typealias Order = (ItemID, ItemID) -> Bool

  private var heaps: [[ItemID]] = []
  /// Groups that are empty and may be used again.
  private var free: [Int] = []
  private var places = IdentifierMap<ItemID, (group: Int, index: Int)>()

  /// Makes a group without rows.
  mutating func make() -> Int {
    if let group = free.popLast() { return group }
    heaps.append([])
    return heaps.count - 1
  }

  /// Makes a group without rows available again.
  mutating func release(_ group: Int) { free.append(group) }

  /// The first row of a group.
  func first(of group: Int) -> ItemID? { heaps[group].first }

  /// The rows next to the first row of a group in its heap: each other row is after one of them.
  func next(after first: ItemID) -> [ItemID] {
    guard let place = places[first], place.index == 0 else { return [] }
    return Array(heaps[place.group].dropFirst().prefix(2))
  }

  /// Adds a row that is after all rows of a group.
  mutating func append(_ row: ItemID, to group: Int) {
    places[row] = (group, heaps[group].count)
    heaps[group].append(row)
  }

  /// Adds a row.
  ///
  /// - Complexity: O(log m) comparisons for m rows of the group.
  mutating func insert(_ row: ItemID, in group: Int, _ isBefore: Order) {
    append(row, to: group)
    rise(from: heaps[group].count - 1, in: group, isBefore)
  }

  /// Removes a row.
  ///
  /// - Complexity: O(log m) comparisons for m rows of the group.
  mutating func remove(_ row: ItemID, from group: Int, _ isBefore: Order) {
    guard let place = places[row], place.group == group, let last = heaps[group].popLast() else {
      return
    }
    places[row] = nil
    // Identifiers that break the laws of equality may be found in another one's place.
    guard place.index < heaps[group].count else { return }
    put(last, at: place.index, in: group)
    sink(from: rise(from: place.index, in: group, isBefore), in: group, isBefore)
  }

  /// Moves a row up until the one above is before it; returns where it is then.
  @discardableResult
  private mutating func rise(from index: Int, in group: Int, _ isBefore: Order) -> Int {
    let row = heaps[group][index]
    var index = index
    while index > 0, isBefore(row, heaps[group][(index - 1) / 2]) {
      put(heaps[group][(index - 1) / 2], at: index, in: group)
      index = (index - 1) / 2
    }
    put(row, at: index, in: group)
    return index
  }

  /// Moves a row down until it is before those below.
  private mutating func sink(from index: Int, in group: Int, _ isBefore: Order) {
    let row = heaps[group][index]
    var index = index
    while 2 * index + 1 < heaps[group].count {
      var child = 2 * index + 1
      if child + 1 < heaps[group].count, isBefore(heaps[group][child + 1], heaps[group][child]) {
        child += 1
      }
      guard isBefore(heaps[group][child], row) else { break }
      put(heaps[group][child], at: index, in: group)
      index = child
    }
    put(row, at: index, in: group)
  }

  private mutating func put(_ row: ItemID, at index: Int, in group: Int) {
    heaps[group][index] = row
    places[row] = (group, index)
  }
}

/// A binary heap: no element is before the one above it. Unlike ``RowHeaps``, it finds no other than the first.
extension Array {
  /// Moves the last element up to its place.
  @inline(__always) mutating func raiseLast(_ isBefore: (Element, Element) -> Bool) {
    var index = count - 1
    while index > 0, isBefore(self[index], self[(index - 1) / 2]) {
      swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Moves the first element down to its place.
  @inline(__always) mutating func sinkFirst(_ isBefore: (Element, Element) -> Bool) {
    var index = 0
    while 2 * index + 1 < count {
      var child = 2 * index + 1
      if child + 1 < count, isBefore(self[child + 1], self[child]) { child += 1 }
      guard isBefore(self[child], self[index]) else { return }
      swapAt(index, child)
      index = child
    }
  }
}
