/// Elements, each once, in the order in which they were added.
///
/// It uses them through a kernel, so it is compiled once. A few are found by a look at all hashes; for more
/// of them there is an ``ElementIndex``. An element that breaks the laws of `Hashable` is not found.
package struct ElementSet: Sendable {
  private var few: HashedElements
  private var many: ElementIndex?

  package init(_ kernel: ElementKernel) {
    few = HashedElements(kernel)
  }

  /// Creates a set of elements that are all different.
  ///
  /// - Complexity: O(n) for n elements.
  init(_ elements: HashedElements) {
    few = elements
    makeIndexIfNeeded()
  }

  private static var fewest: Int { 8 }

  private mutating func makeIndexIfNeeded() {
    guard few.count > Self.fewest else { return }
    var index = ElementIndex(few.kernel)
    index.set(contentsOf: few)
    (few, many) = (HashedElements(few.kernel), index)
  }

  package var elements: HashedElements { many?.elements ?? few }
  package var count: Int { elements.count }

  package func contains(_ element: UnsafeRawPointer, hash: UInt32) -> Bool {
    if let many { return many.number(of: element, hash: hash) != nil }
    let (span, kernel) = (few.span, few.kernel)
    return withExtendedLifetime(few) {
      (0..<span.count).contains {
        span.hashes[$0] == hash && kernel.areEqual(span.address($0), element)
      }
    }
  }

  /// Adds a copy of an element, unless it is there.
  ///
  /// - Complexity: expected O(1), given a good hash.
  package mutating func insert(_ element: UnsafeRawPointer, hash: UInt32) {
    guard !contains(element, hash: hash) else { return }
    if many != nil {
      many?.set(element, hash: hash)
    } else {
      few.append(element, hash: hash)
      makeIndexIfNeeded()
    }
  }

  /// Adds copies of the elements of another set that are not there.
  package mutating func formUnion(_ later: ElementSet) {
    later.forEach { insert($0, hash: $1) }
  }

  /// Calls a function with each element, which is held during the call, and its hash.
  package func forEach(_ body: (_ element: UnsafeRawPointer, _ hash: UInt32) -> Void) {
    let elements = elements
    withExtendedLifetime(elements) {
      let span = elements.span
      for number in 0..<span.count { body(span.address(number), span.hashes[number]) }
    }
  }

  /// Those that satisfy a condition; `nil` if none does.
  package func filter(_ isKept: (UnsafeRawPointer, UInt32) -> Bool) -> ElementSet? {
    var gone: [Int] = []
    var number = 0
    forEach { element, hash in
      if !isKept(element, hash) { gone.append(number) }
      number += 1
    }
    guard !gone.isEmpty else { return self }
    var kept = ElementSet(few.kernel)
    var next = gone[...]
    number = 0
    forEach { element, hash in
      if next.first == number { next.removeFirst() } else { kept.insert(element, hash: hash) }
      number += 1
    }
    return kept.count == 0 ? nil : kept
  }
}

/// The sections and items that writers have placed, without their types.
package struct PlacedElements: Sendable {
  /// `nil` if there are none.
  package var sections: ElementSet?
  /// `nil` if there are none.
  package var items: ElementSet?

  package init(sections: ElementSet? = nil, items: ElementSet? = nil) {
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

  private static func join(_ set: inout ElementSet?, _ later: ElementSet?) {
    guard let later else { return }
    if set == nil { set = later } else { set?.formUnion(later) }
  }
}

/// Unique identifiers in insertion order.
///
/// A few are compared one by one, which is faster than to hash them; more of them are in an
/// ``IdentifierMap``. Two references, since most sets are empty, and those of a snapshot are copied often.
@usableFromInline package struct IdentifierSet<Key: Hashable & Sendable>: Sendable {
  /// All of them, as long as there are few.
  @usableFromInline var few: [Key] = []
  @usableFromInline var many: CopyOnWrite<IdentifierMap<Key, Void>>?

  @inlinable package init() {}

  @inlinable package init(_ keys: some Sequence<Key>) {
    for key in keys { insert(key) }
  }

  @inlinable static var fewest: Int { 8 }

  @inlinable package var count: Int { many?.read { $0.pointee.count } ?? few.count }
  @inlinable package var isEmpty: Bool { count == 0 }
  @inlinable package var inOrder: [Key] {
    many?.read { $0.pointee.inOrder } ?? few
  }

  @inlinable package func contains(_ key: Key) -> Bool {
    many?.read { $0.pointee[key] != nil } ?? few.contains(key)
  }

  /// Adds an identifier; returns whether it is new.
  ///
  /// - Complexity: expected O(1), given a good hash.
  @discardableResult
  @inlinable package mutating func insert(_ key: Key) -> Bool {
    guard many == nil else { return many?.value.insert(key) ?? false }
    guard !few.contains(key) else { return false }
    few.append(key)
    guard few.count > Self.fewest else { return true }
    var map = IdentifierMap<Key, Void>()
    for key in few { map.insert(key) }
    (few, many) = ([], CopyOnWrite(map))
    return true
  }

  /// - Complexity: expected O(1), given a good hash.
  @inlinable package mutating func remove(_ key: Key) {
    if many != nil {
      many?.value[key] = nil
    } else if let place = few.firstIndex(of: key) {
      few.remove(at: place)
    }
  }
}

extension IdentifierMap where Value == Void {
  @inlinable var inOrder: [Key] { count == keys.count ? keys : elements.map { $0.key } }

  /// Adds a key; returns whether it is new.
  @discardableResult
  @inlinable mutating func insert(_ key: Key) -> Bool {
    let hash = key.hashValue
    guard find(key, hash: hash) == nil else { return false }
    append(key, hash, ())
    return true
  }
}
