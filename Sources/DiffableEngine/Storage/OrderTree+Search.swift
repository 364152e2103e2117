extension OrderTree {
  /// Calls a function with the leaves that contain some positions.
  ///
  /// The function also receives the number of elements before each leaf.
  ///
  /// - Parameter isWanted: The condition for the nodes above a leaf and for the leaf itself.
  /// - Complexity: O(l + log n) for l leaves of a tree of n elements. With a condition,
  ///   O((l + 1) · log n), if every wanted node has a wanted leaf.
  package func forEachLeaf(
    in range: Range<Int>, inSubtrees isWanted: (OrderNode) -> Bool = { _ in true },
    _ body: (_ leaf: Leaf, _ base: Int) -> Void
  ) {
    guard !range.isEmpty else { return }
    root?.forEachLeaf(in: range, base: 0, isWanted, body)
  }

  /// The model of the element at a position, or `nil` if it has none.
  ///
  /// - Complexity: O(log n) for n elements.
  package func model(at position: Int) -> HeldModel? {
    leaf(atPosition: position).flatMap { HeldModel(at: position - $0.base, in: $0.leaf) }
  }

  /// Calls a function with the model of the element at a position, or `nil` if it has none.
  ///
  /// - Complexity: O(log n) for n elements.
  package func withModel<Result>(at position: Int, _ body: (ModelSpan?) -> Result) -> Result {
    let model = model(at: position)
    return withExtendedLifetime(model) { body(model?.span) }
  }
}

extension OrderNode {
  @inline(never) fileprivate func forEachLeaf(
    in range: Range<Int>, base: Int, _ isWanted: (OrderNode) -> Bool,
    _ body: (_ leaf: Leaf, _ base: Int) -> Void
  ) {
    guard isWanted(self) else { return }
    switch self {
    case .leaf(let leaf): body(leaf, base)
    case .inner(let inner):
      var start = base
      inner.withChildren { children in
        for index in children.indices {
          defer { start += children[index].count }
          guard start + children[index].count > range.lowerBound else { continue }
          guard start < range.upperBound else { return }
          children[index].node.forEachLeaf(in: range, base: start, isWanted, body)
        }
      }
    }
  }
}

extension OrderTree {
  /// The first position, from a start on, whose element satisfies a condition.
  ///
  /// - Parameters:
  ///   - start: Where to begin.
  ///   - isPossible: Returns, from its totals, whether a subtree may contain such an element.
  ///   - isFound: The condition, for the address of an element.
  /// - Complexity: O(log n) for n elements, if every subtree that is possible contains such an
  ///   element.
  @usableFromInline func firstPosition(
    from start: Int, inSubtrees isPossible: (Totals) -> Bool,
    where isFound: (UnsafeRawPointer) -> Bool
  ) -> Int? {
    root?.position(in: start..<max(start, count), isLast: false, isPossible, isFound)
  }

  /// The last position before another one whose element satisfies a condition.
  ///
  /// - Complexity: The same as ``firstPosition(from:inSubtrees:where:)``.
  @usableFromInline func lastPosition(
    before end: Int, inSubtrees isPossible: (Totals) -> Bool,
    where isFound: (UnsafeRawPointer) -> Bool
  ) -> Int? {
    root?.position(in: min(0, end)..<end, isLast: true, isPossible, isFound)
  }
}

extension OrderNode {
  /// The first position, or the last one, whose element satisfies a condition, in a range.
  fileprivate func position(
    in range: Range<Int>, isLast: Bool, _ isPossible: (Totals) -> Bool,
    _ isFound: (UnsafeRawPointer) -> Bool
  ) -> Int? {
    switch self {
    case .leaf(let leaf):
      let offsets = range.clamped(to: 0..<leaf.count)
      return withExtendedLifetime(leaf) {
        isLast
          ? offsets.last { isFound(leaf.span.address($0)) }
          : offsets.first { isFound(leaf.span.address($0)) }
      }
    case .inner(let inner):
      return inner.withChildren { children in
        var base = isLast ? inner.count : 0
        for step in children.indices {
          let child = children[isLast ? children.count - 1 - step : step]
          if isLast { base -= child.count }
          if base < range.upperBound, base + child.count > range.lowerBound,
            isPossible(child.totals),
            let found = child.node.position(
              in: range.lowerBound - base..<range.upperBound - base, isLast: isLast, isPossible,
              isFound)
          {
            return base + found
          }
          if !isLast { base += child.count }
        }
        return nil
      }
    }
  }
}

extension OrderTree {
  /// The positions of the elements that equal a given one, in ascending order, found by a table.
  ///
  /// - Complexity: O(k · log n) for k leaves in entries of the hash, among n elements.
  func positions(
    of element: UnsafeRawPointer, hash: UInt32, in table: IdentityTable
  ) -> [Int] {
    var found: [Int] = []
    var seen: [LeafLabel] = []
    table.forEachEntry(hash: hash) { entry in
      guard !seen.contains(entry.label), let place = leaf(labelled: entry.label) else {
        return true
      }
      seen.append(entry.label)
      place.appendPositions(of: element, hash: hash, to: &found)
      return true
    }
    return found.sortedIfNeeded { $0 }
  }

  /// The first position of an equal element, if there are few entries of its hash.
  package func firstPosition(
    of element: UnsafeRawPointer, hash: UInt32, in table: IdentityTable
  ) -> Int? {
    var first: Int?
    table.forEachEntry(hash: hash) { entry in
      guard let place = leaf(labelled: entry.label),
        let offset = place.leaf.offset(of: element, hash: hash)
      else { return true }
      first = min(first ?? .max, place.base + offset)
      return true
    }
    return first
  }

  /// The hashes of all elements, first to last.
  package var hashes: [UInt32] {
    var hashes: [UInt32] = []
    hashes.reserveCapacity(count)
    root?.forEachLeaf { leaf in
      withExtendedLifetime(leaf) { hashes.append(contentsOf: leaf.span.hashBuffer) }
    }
    return hashes
  }
}

extension OrderTree.LeafPlace {
  /// Adds the positions of the elements that equal a given one.
  func appendPositions(
    of element: UnsafeRawPointer, hash: UInt32, to positions: inout [Int]
  ) {
    var start = 0
    while let offset = leaf.offset(of: element, hash: hash, from: start) {
      positions.append(base + offset)
      start = offset + 1
    }
  }
}

extension OrderTree {
  /// The position of the first row that does not satisfy a condition, if all before it do.
  ///
  /// If the rows are in another order, it is some position.
  ///
  /// - Complexity: O(log n) calls for n elements.
  package func partitioningPosition(_ isBefore: (RowPlace) -> Bool) -> Int {
    root.map { $0.partitioningPosition(isBefore) } ?? 0
  }

  /// Calls a function with the row at an existing position.
  ///
  /// - Complexity: O(log n) for n elements.
  package func withRow<Result>(at position: Int, _ body: (RowPlace) -> Result) -> Result {
    guard let place = leaf(atPosition: position), position >= place.base,
      position - place.base < place.leaf.count
    else { preconditionFailure("no row \(position) of \(count)") }
    return withExtendedLifetime(place.leaf) { body(place.leaf.row(at: position - place.base)) }
  }
}

extension OrderNode {
  fileprivate func partitioningPosition(_ isBefore: (RowPlace) -> Bool) -> Int {
    switch self {
    case .leaf(let leaf):
      return withExtendedLifetime(leaf) {
        (0..<leaf.count).partitioningIndex { !isBefore(leaf.row(at: $0)) }
      }
    case .inner(let inner):
      return inner.withChildren { children in
        // The last child whose first row satisfies the condition, or the first child.
        let child =
          (1..<children.count).partitioningIndex { !children[$0].node.withFirstRow(isBefore) } - 1
        let base = children[..<child].reduce(0) { $0 + $1.count }
        return base + children[child].node.partitioningPosition(isBefore)
      }
    }
  }

  private func withFirstRow(_ body: (RowPlace) -> Bool) -> Bool {
    switch self {
    case .leaf(let leaf): withExtendedLifetime(leaf) { body(leaf.row(at: 0)) }
    case .inner(let inner): inner.withChildren { $0[0].node.withFirstRow(body) }
    }
  }
}

/// The addresses of a row: of its identifier, and of what the list shows for it.
///
/// In a source of identifiers both are the same. The addresses are in leaves of a tree, which
/// never change, so they are valid for as long as the tree is held.
@usableFromInline package struct RowPlace {
  package let item: UnsafeRawPointer
  /// The model or, if there is none, the identifier.
  @usableFromInline package let element: UnsafeRawPointer

  package init(item: UnsafeRawPointer, element: UnsafeRawPointer) {
    (self.item, self.element) = (item, element)
  }

  /// The identifier.
  package func item<ItemID>(as type: ItemID.Type = ItemID.self) -> ItemID {
    item.assumingMemoryBound(to: type).pointee
  }
}

extension Leaf {
  /// The row of an element.
  package func row(at offset: Int) -> RowPlace {
    RowPlace(item: span.address(offset), element: shown(at: offset))
  }

  /// The address of what the list shows for an element: of its model or, if there is none, its own.
  ///
  /// All leaves of a live state have models, or none.
  package func shown(at offset: Int) -> UnsafeRawPointer {
    let shown = shown
    return shown.first + offset &* shown.stride
  }

  /// What the list shows for the elements: where the first one is, and how far apart they are.
  package var shown: (first: UnsafeRawPointer, stride: Int) {
    guard let models else { return (span.first, span.stride) }
    return (models.first, models.kernel.stride)
  }
}
