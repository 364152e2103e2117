/// Finds the numbers of elements, which are counted from 0 in the order in which they were added.
///
/// An element that is added again has the number of the last time.
///
/// It uses its elements through a kernel, so it is compiled once. As in ``IdentifierMap``, an element
/// that breaks the laws of `Hashable` is not found, or is there several times.
package struct ElementIndex: Sendable {
  package private(set) var elements: HashedElements
  private var slots = HashSlots(capacity: 0)
  /// The number of elements that were added again.
  private var repeatedCount = 0

  package init(_ kernel: ElementKernel) {
    elements = HashedElements(kernel)
  }

  /// Creates an index of elements; `nil` if one of them is there twice.
  package init?(_ elements: HashedElements) {
    self.elements = elements
    slots = HashSlots(capacity: count * 2)
    file(from: 0)
    guard repeatedCount == 0 else { return nil }
  }

  /// The number of elements, repeated ones included.
  package var count: Int { elements.count }

  /// The number of different elements.
  package var distinctCount: Int { elements.count - repeatedCount }

  /// The number of an element, or `nil` if it was not added.
  ///
  /// - Complexity: expected O(1).
  package func number(of element: UnsafeRawPointer, hash: UInt32) -> Int? {
    let (span, kernel) = (elements.span, elements.kernel)
    return withExtendedLifetime(elements) {
      slots.first(hash: hash) {
        span.hashes[$0] == hash && kernel.areEqual(span.address($0), element)
      }
    }
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

  /// The number of an identifier, or `nil` if it was not added.
  package func number<ID: Hashable>(of id: ID) -> Int? {
    withUnsafePointer(to: id) { number(of: $0, hash: id.storedHash) }
  }

  /// Adds an element, which may have been added before.
  package mutating func set(_ element: UnsafeRawPointer, hash: UInt32) {
    elements.append(element, hash: hash)
    file(from: count - 1)
  }

  /// Adds elements, which may have been added before.
  ///
  /// - Complexity: expected O(m) for m elements, amortized.
  package mutating func set(contentsOf others: HashedElements) {
    let first = elements.count
    if first == 0 { elements = others } else { elements.append(others) }
    file(from: first)
  }

  /// Adds those of some elements that were not added before, and returns whether there are any.
  ///
  /// - Complexity: expected O(m) for m elements, amortized.
  package mutating func formUnion(_ others: HashedElements) -> Bool {
    let (span, before) = (others.span, count)
    withExtendedLifetime(others) {
      for offset in 0..<span.count {
        let (element, hash) = (span.address(offset), span.hashes[offset])
        if number(of: element, hash: hash) == nil { set(element, hash: hash) }
      }
    }
    return count > before
  }

  /// Files the elements from a number on, each in the place of an equal one if there is one.
  ///
  /// If more than half of the slots would be used, it files everything in a larger table.
  private mutating func file(from first: Int) {
    var first = first
    if count > slots.capacity {
      slots = HashSlots(capacity: count * 2)
      (first, repeatedCount) = (0, 0)
    }
    let (span, kernel) = (elements.span, elements.kernel)
    withExtendedLifetime(elements) {
      for number in first..<count {
        let (element, hash) = (span.address(number), span.hashes[number])
        let isRepeated = slots.replace(number, hash: hash) {
          span.hashes[$0] == hash && kernel.areEqual(span.address($0), element)
        }
        if isRepeated { repeatedCount += 1 }
      }
    }
  }
}
