/// Elements that lost their place, waiting to be found elsewhere by hash and equality.
///
/// Open addressing over a list of leftovers. Each can be taken once, so that an element that stands
/// twice on the other side finds a partner once.
///
/// - Complexity: O(m) to create for m elements; expected O(1) a question.
@usableFromInline struct LeftoverPool<Element: Hashable & Sendable> {
  @usableFromInline let leftovers: [OrderMatching<Element>.Leftover]
  @usableFromInline var isTaken: [Bool]
  @usableFromInline var slots: [Int32]

  @inlinable init(_ leftovers: [OrderMatching<Element>.Leftover]) {
    self.leftovers = leftovers
    isTaken = Array(repeating: false, count: leftovers.count)
    var slotCount = 8
    while slotCount < leftovers.count * 2 { slotCount *= 2 }
    slots = Array(repeating: -1, count: slotCount)
    for index in leftovers.indices {
      var slot = Int(leftovers[index].hash >> 1) & (slotCount - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slotCount - 1) }
      slots[slot] = Int32(truncatingIfNeeded: index)
    }
  }

  /// Takes the first leftover that is equal and not taken yet, and answers its place in the list.
  @inlinable mutating func take(_ other: OrderMatching<Element>.Leftover) -> Int? {
    var slot = Int(other.hash >> 1) & (slots.count - 1)
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if leftovers[index].hash == other.hash, !isTaken[index],
        leftovers[index].element == other.element
      {
        isTaken[index] = true
        return index
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }
}
