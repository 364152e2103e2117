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
        var (low, high) = (0, leaf.count)
        while low < high {
          let middle = (low + high) / 2
          if isBefore(leaf.row(at: middle)) { low = middle + 1 } else { high = middle }
        }
        return low
      }
    case .inner(let inner):
      return inner.withChildren { children in
        // The last child whose first row satisfies the condition, or the first child.
        var (low, high) = (0, children.count)
        while high - low > 1 {
          let middle = (low + high) / 2
          if children[middle].node.withFirstRow(isBefore) { low = middle } else { high = middle }
        }
        let base = children[..<low].reduce(0) { $0 + $1.count }
        return base + children[low].node.partitioningPosition(isBefore)
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
