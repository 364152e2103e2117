/// Finds the numbers of elements, which are counted from 0 in the order in which they were added.
///
/// An element that is added again has the number of the last time.
///
/// It uses its elements through a kernel, so it is compiled once. A few elements are found by a look at all
/// hashes. As in ``IdentifierMap``, an element that breaks the laws of `Hashable` is not found, or is there
/// several times.
package struct ElementIndex: Sendable {
  package private(set) var elements: HashedElements
  /// Without room as long as there are few elements.
  private var slots = HashSlots()
  /// The number of elements that were added again.
  private var repeatedCount = 0
  /// The number of slots that are still in use for elements that were replaced, at most.
  private var staleCount = 0

  package init(_ kernel: ElementKernel) {
    elements = HashedElements(kernel)
  }

  /// Creates an index of elements; `nil` if one of them is there twice.
  package init?(_ elements: HashedElements) {
    self.elements = elements
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
    guard slots.capacity > 0 else { return number(of: element, hash: hash, before: count) }
    let (span, kernel) = (elements.span, elements.kernel)
    return withExtendedLifetime(elements) {
      slots.first(hash: hash) {
        span.hashes[$0] == hash && kernel.areEqual(span.address($0), element)
      }
    }
  }

  /// The greatest number of an element that is less than another one, found by a look at all hashes.
  private func number(of element: UnsafeRawPointer, hash: UInt32, before end: Int) -> Int? {
    let (span, kernel) = (elements.span, elements.kernel)
    return withExtendedLifetime(elements) {
      (0..<end).last { span.hashes[$0] == hash && kernel.areEqual(span.address($0), element) }
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

  /// Adds an element, unless it was added before.
  ///
  /// - Complexity: expected O(1).
  package mutating func insert(_ element: UnsafeRawPointer, hash: UInt32) {
    if number(of: element, hash: hash) == nil { set(element, hash: hash) }
  }

  /// Adds those of some elements that were not added before, and returns whether there are any.
  ///
  /// - Complexity: expected O(m) for m elements, amortized.
  package mutating func formUnion(_ others: HashedElements) -> Bool {
    let (span, before) = (others.span, count)
    withExtendedLifetime(others) {
      for offset in 0..<span.count { insert(span.address(offset), hash: span.hashes[offset]) }
    }
    return count > before
  }

  /// Replaces an element with one that was not added before; returns whether that could be done.
  ///
  /// The slot of the old element stays in use. A lookup that passes it compares the new element.
  ///
  /// - Complexity: expected O(1), amortized.
  package mutating func replace(
    _ old: UnsafeRawPointer, hash oldHash: UInt32, with new: UnsafeRawPointer, hash: UInt32
  ) -> Bool {
    guard repeatedCount == 0, let number = number(of: old, hash: oldHash),
      self.number(of: new, hash: hash) == nil
    else { return false }
    elements.replace(at: number, with: new, hash: hash)
    guard slots.capacity > 0 else { return true }
    staleCount += 1
    if count + staleCount > slots.capacity {
      // This files all elements in a new table.
      file(from: count)
    } else {
      slots.insert(number, hash: hash)
    }
    return true
  }

  /// Files the elements from a number on, each in the place of an equal one if there is one.
  ///
  /// If more than half of the slots would be used, it files everything in a new table, which has room for
  /// twice as many. A few elements need no table.
  private mutating func file(from first: Int) {
    var first = first
    if count + staleCount > max(8, slots.capacity) {
      slots = HashSlots(capacity: count * 2)
      (first, repeatedCount, staleCount) = (0, 0, 0)
    }
    let (span, kernel) = (elements.span, elements.kernel)
    withExtendedLifetime(elements) {
      for number in first..<count {
        let (element, hash) = (span.address(number), span.hashes[number])
        let isRepeated =
          slots.capacity == 0
          ? self.number(of: element, hash: hash, before: number) != nil
          : slots.replace(number, hash: hash) {
            span.hashes[$0] == hash && kernel.areEqual(span.address($0), element)
          }
        if isRepeated { repeatedCount += 1 }
      }
    }
  }
}

extension ElementIndex {
  package func contains(_ element: UnsafeRawPointer, hash: UInt32) -> Bool {
    number(of: element, hash: hash) != nil
  }

  /// Calls a function with each element, which is held during the call, and its hash.
  package func forEach(_ body: (_ element: UnsafeRawPointer, _ hash: UInt32) -> Void) {
    withExtendedLifetime(elements) {
      let span = elements.span
      for number in 0..<span.count { body(span.address(number), span.hashes[number]) }
    }
  }

  /// Those that satisfy a condition; `nil` if none does.
  package func filter(_ isKept: (UnsafeRawPointer, UInt32) -> Bool) -> ElementIndex? {
    withExtendedLifetime(elements) {
      let span = elements.span
      let gone = (0..<count).first { !isKept(span.address($0), span.hashes[$0]) }
      guard let gone else { return self }
      var kept = ElementIndex(elements.kernel)
      for number in 0..<count where number != gone {
        let (element, hash) = (span.address(number), span.hashes[number])
        if number < gone || isKept(element, hash) { kept.set(element, hash: hash) }
      }
      return kept.count == 0 ? nil : kept
    }
  }
}

/// The sections and items that writers have placed, without their types.
package struct PlacedElements: Sendable {
  /// `nil` if there are none.
  package var sections: ElementIndex?
  /// `nil` if there are none.
  package var items: ElementIndex?

  package init(sections: ElementIndex? = nil, items: ElementIndex? = nil) {
    (self.sections, self.items) = (sections, items)
  }

  package var isEmpty: Bool { sections == nil && items == nil }
  package var count: Int { (sections?.count ?? 0) + (items?.count ?? 0) }

  package mutating func formUnion(_ later: PlacedElements) {
    Self.join(&sections, later.sections)
    Self.join(&items, later.items)
  }

  /// Removes what does not satisfy a condition; returns whether anything has been removed.
  package mutating func keep(
    sections isSection: (UnsafeRawPointer, UInt32) -> Bool,
    items isItem: (UnsafeRawPointer, UInt32) -> Bool
  ) -> Bool {
    let before = count
    (sections, items) = (sections?.filter(isSection), items?.filter(isItem))
    return count < before
  }

  private static func join(_ set: inout ElementIndex?, _ later: ElementIndex?) {
    guard let later else { return }
    if set == nil { set = later } else { _ = set?.formUnion(later.elements) }
  }
}
