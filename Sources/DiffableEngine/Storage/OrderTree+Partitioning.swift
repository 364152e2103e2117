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
