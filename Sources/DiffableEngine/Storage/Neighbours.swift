/// The leaves of the live state from which some new leaves were most likely made.
///
/// They are walked in step with the new ones; when the two differ, the search extends one leaf
/// further.
package struct Neighbours {
  private let leaves: [Leaf]
  private var leaf = 0
  private var offset = 0

  package init(_ leaves: [Leaf]) {
    self.leaves = leaves
  }

  /// The address of the model of an element, if it is near the previous one.
  ///
  /// - Complexity: O(1) if it follows the previous one, otherwise O(l) for leaves of l elements.
  package mutating func model(
    of element: UnsafeRawPointer, hash: UInt32, _ kernel: ElementKernel
  ) -> UnsafeRawPointer? {
    place(of: element, hash: hash, kernel).flatMap { leaves[$0.leaf].models?.address($0.offset) }
  }

  /// The place of the element itself.
  private mutating func place(
    of element: UnsafeRawPointer, hash: UInt32, _ kernel: ElementKernel
  ) -> (leaf: Int, offset: Int)? {
    if leaf < leaves.count, offset >= leaves[leaf].count { (leaf, offset) = (leaf + 1, 0) }
    guard leaf < leaves.count else { return nil }
    if let found = leaves[leaf].offset(of: element, hash: hash, from: offset)
      ?? (offset > 0 ? leaves[leaf].offset(of: element, hash: hash) : nil)
    {
      offset = found + 1
      return (leaf, found)
    }
    guard leaf + 1 < leaves.count,
      let found = leaves[leaf + 1].offset(of: element, hash: hash)
    else { return nil }
    (leaf, offset) = (leaf + 1, found + 1)
    return (leaf, found)
  }
}
