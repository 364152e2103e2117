extension Array {
  /// The elements in order; costs one pass if they are in order already.
  @inlinable package func sortedIfNeeded(by areInOrder: (Element, Element) -> Bool) -> [Element] {
    let isSorted = indices.dropFirst().allSatisfy { !areInOrder(self[$0], self[$0 - 1]) }
    return isSorted ? self : sorted(by: areInOrder)
  }
}
