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
