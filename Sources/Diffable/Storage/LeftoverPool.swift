/// Elements that lost their place, waiting to be found elsewhere by hash and equality.
///
/// Open addressing over the leftovers of the old side. Each can be taken once, so that an element
/// that stands twice on the new side finds a partner once.
///
/// - Complexity: O(m) to create for m elements; expected O(1) a question.
struct LeftoverPool<Element: Hashable> {
  private let elements: [(hash: UInt32, element: Element)]
  private var isTaken: [Bool]
  private var slots: [Int32]

  init(_ elements: [(hash: UInt32, element: Element)]) {
    self.elements = elements
    isTaken = Array(repeating: false, count: elements.count)
    var slotCount = 8
    while slotCount < elements.count * 2 { slotCount *= 2 }
    slots = Array(repeating: -1, count: slotCount)
    for index in elements.indices {
      var slot = Int(elements[index].hash >> 1) & (slotCount - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slotCount - 1) }
      slots[slot] = Int32(truncatingIfNeeded: index)
    }
  }

  /// Takes the first element that is equal and not taken yet, and answers its place in the list
  /// the pool was made of.
  mutating func take(hash: UInt32, _ element: Element) -> Int? {
    guard !elements.isEmpty else { return nil }
    var slot = Int(hash >> 1) & (slots.count - 1)
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if !isTaken[index], elements[index].hash == hash, elements[index].element == element {
        isTaken[index] = true
        return index
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }
}
