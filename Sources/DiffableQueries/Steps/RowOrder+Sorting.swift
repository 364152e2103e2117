import Diffable

/// Sorting rows.
extension RowOrder {
  /// Sorts rows, without changing the order of those that the order does not distinguish.
  ///
  /// The elements are copied once, in their old order, to one place in memory, and move from there.
  /// So everything is read in the order in which it is stored. Sorting the addresses of the elements
  /// reads all over memory for each comparison, and for each copy that is made in the new order.
  ///
  /// - Returns: The elements in their new order. The rows refer to them from now on.
  /// - Complexity: O(n · log n) comparisons for n rows; O(n) if they are in order.
  func sort(_ rows: inout [RowPlace], _ elements: ElementKernel) -> HashedElements {
    switch elements.entrySize {
    case ...32: sort(&rows, elements, RowEntry<Words4>.self)
    case ...48: sort(&rows, elements, RowEntry<Words6>.self)
    case ...64: sort(&rows, elements, RowEntry<Words8>.self)
    case ...96: sort(&rows, elements, RowEntry<Words12>.self)
    default: sortAddresses(&rows, elements)
    }
  }

  /// Sorts copies of the elements, each with the address of its identifier.
  private func sort<Words>(
    _ rows: inout [RowPlace], _ elements: ElementKernel, _ type: RowEntry<Words>.Type
  ) -> HashedElements {
    let (count, size) = (rows.count, MemoryLayout<Words>.stride)
    let itemOffset = size - MemoryLayout<UnsafeRawPointer>.size
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * count * size, alignment: 8)
    defer { memory.deallocate() }
    elements.copy(rows, to: memory, distance: size)
    for (index, row) in rows.enumerated() {
      memory.storeBytes(
        of: row.item, toByteOffset: index * size + itemOffset, as: UnsafeRawPointer.self)
    }
    if !RowEntry<Words>.areSorted(memory, count, areInOrder) {
      RowEntry<Words>.sort(memory, memory + count * size, count, intoSpare: false, areInOrder)
    }
    let sorted = HashedElements(
      elements, count: count,
      filledBy: { target in
        for index in 0..<count {
          (target + index * elements.stride).copyMemory(
            from: memory + index * size, byteCount: elements.size)
        }
      })
    for index in rows.indices {
      rows[index] = RowPlace(
        item: memory.load(
          fromByteOffset: index * size + itemOffset, as: UnsafeRawPointer.self),
        element: sorted.span.address(index))
    }
    return sorted
  }

  /// Sorts the addresses of elements that are too large to move, or that must not be moved as bytes.
  private func sortAddresses(
    _ rows: inout [RowPlace], _ elements: ElementKernel
  ) -> HashedElements {
    rows.sort { areInOrder($0.element, $1.element) }
    let sorted = HashedElements(elements, gathering: rows.map(\.element))
    for index in rows.indices {
      rows[index] = RowPlace(item: rows[index].item, element: sorted.span.address(index))
    }
    return sorted
  }
}

extension ElementKernel {
  /// The number of bytes of an element and an address, if elements can be moved as bytes.
  fileprivate var entrySize: Int {
    func isMovable<Element>(_ type: Element.Type) -> Bool { _isBitwiseTakable(type) }
    guard alignment <= 8, _openExistential(type, do: isMovable) else { return .max }
    return (size + 7) / 8 * 8 + MemoryLayout<UnsafeRawPointer>.size
  }

  /// Copies the elements of rows to uninitialised memory, at a distance from each other.
  fileprivate func copy(
    _ rows: [RowPlace], to target: UnsafeMutableRawPointer, distance: Int
  ) {
    func copy<Element>(_ type: Element.Type) {
      var target = target
      for row in rows {
        target.initializeMemory(
          as: type, from: row.element.assumingMemoryBound(to: type), count: 1)
        target += distance
      }
    }
    _openExistential(type, do: copy)
  }
}

private typealias Words4 = (UInt64, UInt64, UInt64, UInt64)
private typealias Words6 = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
private typealias Words8 = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
private typealias Words12 = (
  UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
)

/// A stable merge sort of entries in memory, each an element followed by an address.
///
/// Whatever a comparison returns, it stays within the entries, and each of them is there once in the
/// end. An entry moves as the bytes that it consists of, so their number must be known to be quick.
private enum RowEntry<Words: BitwiseCopyable> {
  typealias AreInOrder = (UnsafeRawPointer, UnsafeRawPointer) -> Bool

  private static var size: Int { MemoryLayout<Words>.stride }
  /// The number of entries up to which inserting takes less than merging.
  private static var blockLength: Int { 6 }

  /// Whether entries are in order; if not, it mostly takes a few comparisons to see that.
  static func areSorted(
    _ entries: UnsafeMutableRawPointer, _ count: Int, _ areInOrder: AreInOrder
  ) -> Bool {
    (1..<Swift.max(1, count)).allSatisfy { index in
      !areInOrder(entries + index * size, entries + (index - 1) * size)
    }
  }

  /// Sorts entries, into the spare memory if requested.
  static func sort(
    _ entries: UnsafeMutableRawPointer, _ spare: UnsafeMutableRawPointer, _ count: Int,
    intoSpare: Bool, _ areInOrder: AreInOrder
  ) {
    guard count > blockLength else {
      insert(entries, count, areInOrder)
      if intoSpare { spare.copyMemory(from: entries, byteCount: count * size) }
      return
    }
    let half = count / 2
    sort(entries, spare, half, intoSpare: !intoSpare, areInOrder)
    sort(
      entries + half * size, spare + half * size, count - half, intoSpare: !intoSpare, areInOrder)
    let (source, target) = intoSpare ? (entries, spare) : (spare, entries)
    merge(source, source + half * size, source + count * size, into: target, areInOrder)
  }

  /// Sorts a few entries by inserting each among those before it.
  private static func insert(
    _ entries: UnsafeMutableRawPointer, _ count: Int, _ areInOrder: AreInOrder
  ) {
    var end = entries + size
    while end < entries + count * size {
      defer { end += size }
      guard areInOrder(end, end - size) else { continue }
      var place = end
      withUnsafePointer(to: end.load(as: Words.self)) { entry in
        repeat {
          place.storeBytes(of: (place - size).load(as: Words.self), as: Words.self)
          place -= size
        } while place > entries && areInOrder(entry, place - size)
        place.storeBytes(of: entry.pointee, as: Words.self)
      }
    }
  }

  /// Merges two adjacent sorted parts.
  private static func merge(
    _ start: UnsafeMutableRawPointer, _ middle: UnsafeMutableRawPointer,
    _ end: UnsafeMutableRawPointer, into target: UnsafeMutableRawPointer, _ areInOrder: AreInOrder
  ) {
    guard areInOrder(middle, middle - size) else {
      return target.copyMemory(from: start, byteCount: end - start)
    }
    var (left, right, target) = (start, middle, target)
    while left < middle, right < end {
      if areInOrder(right, left) {
        target.storeBytes(of: right.load(as: Words.self), as: Words.self)
        right += size
      } else {
        target.storeBytes(of: left.load(as: Words.self), as: Words.self)
        left += size
      }
      target += size
    }
    target.copyMemory(from: left, byteCount: middle - left)
    (target + (middle - left)).copyMemory(from: right, byteCount: end - right)
  }
}
