/// Finds the numbers of elements, which are counted from 0 in the order in which they were added.
///
/// An element that is added again has the number of the last time.
///
/// It uses its elements through a kernel, so it is compiled once. As in ``IdentifierMap``, an element
/// that breaks the laws of `Hashable` is not found, or is there several times.
package struct ElementIndex: Sendable {
  package private(set) var elements: HashedElements
  /// By slot: the number of an element plus 1, or 0 if the slot is free.
  ///
  /// At most half of the slots are used.
  private var slots: [Int32] = []
  /// The number of elements that were added again.
  private var repeatedCount = 0

  package init(_ kernel: ElementKernel) {
    elements = HashedElements(kernel)
  }

  /// Creates an index of elements; `nil` if one of them is there twice.
  package init?(_ elements: HashedElements) {
    self.elements = elements
    slots = Array(repeating: 0, count: Self.slotCount(for: elements.count))
    let span = elements.span
    for number in 0..<span.count {
      guard self.number(of: span.address(number), hash: span.hashes[number]) == nil else {
        return nil
      }
      file(number, hash: span.hashes[number])
    }
  }

  /// The number of elements, repeated ones included.
  package var count: Int { elements.count }

  /// The number of different elements.
  package var distinctCount: Int { elements.count - repeatedCount }

  /// The number of an element, or `nil` if it was not added.
  ///
  /// - Complexity: expected O(1).
  package func number(of element: UnsafeRawPointer, hash: UInt32) -> Int? {
    guard !slots.isEmpty else { return nil }
    let number = Int(slots[slot(of: element, hash: hash)]) - 1
    return number < 0 ? nil : number
  }

  /// The same, given the number of the element that was asked for before.
  ///
  /// Elements are mostly asked for in the order in which they were added. Then this looks at no slot.
  package func number(of element: UnsafeRawPointer, hash: UInt32, after previous: Int) -> Int? {
    let (span, next) = (elements.span, previous + 1)
    if repeatedCount == 0, next < span.count, span.hashes[next] == hash,
      elements.kernel.areEqual(span.address(next), element)
    {
      return next
    }
    return number(of: element, hash: hash)
  }

  /// The slot of an equal element, or else a free one.
  ///
  /// There must be slots.
  private func slot(of element: UnsafeRawPointer, hash: UInt32) -> Int {
    let (span, kernel) = (elements.span, elements.kernel)
    return withExtendedLifetime(elements) {
      var slot = home(of: hash)
      while slots[slot] != 0 {
        let number = Int(slots[slot]) - 1
        if span.hashes[number] == hash, kernel.areEqual(span.address(number), element) { break }
        slot = (slot + 1) & (slots.count - 1)
      }
      return slot
    }
  }

  /// The number of an identifier, or `nil` if it was not added.
  package func number<ID: Hashable>(of id: ID) -> Int? {
    withUnsafePointer(to: id) { number(of: $0, hash: id.storedHash) }
  }

  /// Adds an element that was not added before.
  package mutating func append(_ element: UnsafeRawPointer, hash: UInt32) {
    elements.append(element, hash: hash)
    if !growIfNeeded(comparing: repeatedCount > 0) { file(elements.count - 1, hash: hash) }
  }

  /// Adds an element, which may have been added before.
  package mutating func set(_ element: UnsafeRawPointer, hash: UInt32) {
    elements.append(element, hash: hash)
    if !growIfNeeded(comparing: true) { fileAgain(elements.count - 1, hash: hash) }
  }

  /// Adds elements, which may have been added before.
  ///
  /// - Complexity: expected O(m) for m elements, amortized.
  package mutating func set(contentsOf others: HashedElements) {
    let first = elements.count
    if first == 0 { elements = others } else { elements.append(others) }
    guard !growIfNeeded(comparing: true) else { return }
    let span = elements.span
    for number in first..<elements.count { fileAgain(number, hash: span.hashes[number]) }
  }

  /// Adds those of some elements that were not added before, and returns whether there are any.
  ///
  /// - Complexity: expected O(m) for m elements, amortized.
  package mutating func formUnion(_ others: HashedElements) -> Bool {
    let (span, before) = (others.span, count)
    withExtendedLifetime(others) {
      for offset in 0..<span.count {
        let (element, hash) = (span.address(offset), span.hashes[offset])
        if number(of: element, hash: hash) == nil { append(element, hash: hash) }
      }
    }
    return count > before
  }

  /// Files everything in a larger table if more than half of the slots would be used.
  ///
  /// - Parameter comparing: Whether elements may be there twice.
  private mutating func growIfNeeded(comparing: Bool) -> Bool {
    guard elements.count * 2 > slots.count else { return false }
    slots = Array(repeating: 0, count: Self.slotCount(for: elements.count))
    repeatedCount = 0
    let span = elements.span
    for number in 0..<span.count {
      let hash = span.hashes[number]
      if comparing { fileAgain(number, hash: hash) } else { file(number, hash: hash) }
    }
    return true
  }

  private mutating func file(_ number: Int, hash: UInt32) {
    var slot = home(of: hash)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(truncatingIfNeeded: number + 1)
  }

  /// Files an element, in the slot of an equal one if there is one.
  private mutating func fileAgain(_ number: Int, hash: UInt32) {
    let slot = slot(of: elements.span.address(number), hash: hash)
    if slots[slot] != 0 { repeatedCount += 1 }
    slots[slot] = Int32(truncatingIfNeeded: number + 1)
  }

  private func home(of hash: UInt32) -> Int { Int(hash >> 1) & (slots.count - 1) }

  /// A power of 2, with room for as many elements again.
  private static func slotCount(for count: Int) -> Int {
    precondition(count < Int32.max, "More elements than an index can number")
    var slotCount = 16
    while slotCount < 4 * count { slotCount *= 2 }
    return slotCount
  }
}
