/// An order tree in code that knows the type of its elements.
///
/// It only adds the type; ``OrderTree`` does the work.
///
/// Invariant: the kernel of the tree is one of `Element`.
@usableFromInline package struct TypedTree<Element: Hashable & Sendable>: Sendable {
  @usableFromInline package var base: OrderTree

  @inlinable package init(_ base: OrderTree) {
    // For each look-up this would ask the runtime for the type, so it is checked in debug builds only.
    assert(base.kernel.type == Element.self, "a tree of other elements")
    self.base = base
  }

  /// Creates an empty tree.
  package init(shape: TreeShape, kernel: ElementKernel) {
    self.init(OrderTree(shape: shape, kernel: kernel))
  }

  /// Creates a tree of elements, with spare room in every leaf.
  ///
  /// - Complexity: O(n) for n elements, one hash each.
  package init(
    _ elements: some Collection<Element>, models: ModelPieces? = nil, shape: TreeShape,
    kernel: ElementKernel
  ) {
    self.init(OrderTree(HashedElements(hashing: elements, kernel), shape: shape, models: models))
  }

  @inlinable package var kernel: ElementKernel { base.kernel }
  @inlinable package var shape: TreeShape { base.shape }
  @inlinable package var count: Int { base.count }
  @inlinable package var isEmpty: Bool { base.isEmpty }
  @inlinable package var totals: Totals { base.totals }

  /// Whether both are the same object, so that no comparison is needed.
  @inlinable package func isIdentical(to other: TypedTree) -> Bool {
    base.isIdentical(to: other.base)
  }

  /// The element at an existing position.
  ///
  /// - Complexity: O(log n) for n elements.
  @inlinable package subscript(position: Int) -> Element {
    base.withElement(at: position) { $0.assumingMemoryBound(to: Element.self).pointee }
  }

  /// The leaves, first to last.
  ///
  /// - Complexity: O(l) for l leaves.
  package var leaves: [TypedLeaf<Element>] { base.leaves.map { TypedLeaf(base: $0) } }

  /// All elements, first to last.
  ///
  /// - Complexity: O(n) for n elements.
  package var elements: [Element] {
    // The storage that all empty arrays share must not be initialised.
    guard count > 0 else { return [] }
    return Array(unsafeUninitializedCapacity: count) { buffer, filled in
      let target = UnsafeMutableRawPointer(buffer.baseAddress)
      base.root?.forEachLeaf { leaf in
        withExtendedLifetime(leaf) {
          // A leaf has elements, so there is room for them.
          kernel.copy(
            leaf.span.first, to: target.unsafelyUnwrapped + filled * kernel.stride,
            count: leaf.count)
        }
        filled += leaf.count
      }
    }
  }

  /// The leaf that contains a position; for any position after the last one, the last leaf.
  ///
  /// Also returns the number of elements before it.
  package func leaf(atPosition position: Int) -> (leaf: TypedLeaf<Element>, base: Int)? {
    base.leaf(atPosition: position).map { (TypedLeaf(base: $0.leaf), $0.base) }
  }

  /// The leaf with a label, or `nil` if no leaf has it.
  package func leaf(labelled label: LeafLabel) -> TypedLeaf<Element>? {
    base.leaf(labelled: label).map { TypedLeaf(base: $0.leaf) }
  }

  /// See ``OrderTree/firstPosition(from:inSubtrees:where:)``.
  @inlinable package func firstPosition(
    from start: Int, inSubtrees isPossible: (Totals) -> Bool, where isFound: (Element) -> Bool
  ) -> Int? {
    base.firstPosition(from: start, inSubtrees: isPossible) {
      isFound($0.assumingMemoryBound(to: Element.self).pointee)
    }
  }

  /// See ``OrderTree/lastPosition(before:inSubtrees:where:)``.
  @inlinable package func lastPosition(
    before end: Int, inSubtrees isPossible: (Totals) -> Bool, where isFound: (Element) -> Bool
  ) -> Int? {
    base.lastPosition(before: end, inSubtrees: isPossible) {
      isFound($0.assumingMemoryBound(to: Element.self).pointee)
    }
  }

  /// The positions in a range of all elements that satisfy a condition, found as the first one is.
  @inlinable package func positions(
    in range: Range<Int>, inSubtrees isPossible: (Totals) -> Bool, where isFound: (Element) -> Bool
  ) -> [Int] {
    var positions: [Int] = []
    var start = range.lowerBound
    while let position = firstPosition(from: start, inSubtrees: isPossible, where: isFound),
      position < range.upperBound
    {
      positions.append(position)
      start = position + 1
    }
    return positions
  }

  @inlinable package func totals(before position: Int) -> Totals { base.totals(before: position) }

  /// Replaces an element with another one of the same identity.
  @inlinable package mutating func replaceElement(at position: Int, with element: Element) {
    withUnsafePointer(to: element) { base.replaceElement(at: position, with: $0) }
  }

  package mutating func replaceSubrange(
    _ range: Range<Int>, with elements: HashedElements
  ) -> LeafDelta {
    base.replaceSubrange(range, with: elements)
  }

  /// See ``OrderTree/updated(to:models:table:section:mostChanges:)``.
  ///
  /// - Parameter models: The models of the elements, if a writer gives them too.
  package func updated(
    to elements: [Element], models: RowModels? = nil, table: IdentityTable? = nil,
    section: SectionKey? = nil, mostChanges: Int = .max
  ) -> (tree: TypedTree, matching: OrderMatching?) {
    let (tree, matching) = elements.withUnsafeBufferPointer {
      base.updated(
        to: .init($0), models: models, table: table, section: section, mostChanges: mostChanges)
    }
    return (TypedTree(tree), matching)
  }
}

/// A leaf as the collection of its elements, which it holds, in code that knows their type.
package struct TypedLeaf<Element: Sendable>: RandomAccessCollection, Sendable {
  package let base: Leaf

  package init(base: Leaf) {
    self.base = base
  }

  var label: LeafLabel { base.label }

  package var startIndex: Int { 0 }
  package var endIndex: Int { base.count }

  package subscript(index: Int) -> Element {
    precondition(index >= 0 && index < base.count, "no element \(index) in a leaf")
    return withExtendedLifetime(base) {
      base.span.address(index).assumingMemoryBound(to: Element.self).pointee
    }
  }

  package func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    try withExtendedLifetime(base) {
      let first = base.span.first.assumingMemoryBound(to: Element.self)
      return try body(UnsafeBufferPointer(start: first, count: base.count))
    }
  }

  /// The elements with a hash.
  package func elements(hash: UInt32) -> [Element] {
    let places = withExtendedLifetime(base) {
      base.span.hashBuffer.indices.filter { base.span.hashes[$0] == hash }
    }
    return places.map { self[$0] }
  }
}

extension Leaf {
  /// The same leaf with elements of the same identities, in the same order.
  package func replacingElements<Element>(with elements: ContiguousArray<Element>) -> Leaf {
    precondition(kernel.type == Element.self && elements.count == count, "elements of another leaf")
    return withExtendedLifetime(self) {
      elements.withUnsafeBufferPointer { elements in
        // A leaf has elements.
        Leaf(
          label: label, kernel: kernel,
          ElementSpan(
            first: UnsafeRawPointer(elements.baseAddress.unsafelyUnwrapped), hashes: span.hashes,
            count: count, stride: kernel.stride))
      }
    }
  }
}

/// An order of items.
package typealias ItemTree<ItemID: Hashable & Sendable> = TypedTree<ItemID>
