/// The leaves of the live state that some new ones most likely were made of.
///
/// They are walked in step with the new ones, and a leaf further where these part.
struct Neighbours {
  private let leaves: [Leaf]
  private var leaf = 0
  private var offset = 0

  init(_ leaves: [Leaf]) {
    self.leaves = leaves
  }

  /// Where the model of an element is, if it is near the one that was asked for before.
  ///
  /// - Complexity: O(1) where it is behind that one, else O(l) for leaves of l elements.
  mutating func model(
    of element: UnsafeRawPointer, hash: UInt32, _ kernel: ElementKernel
  ) -> UnsafeRawPointer? {
    place(of: element, hash: hash, kernel).flatMap { leaves[$0.leaf].models?.address($0.offset) }
  }

  /// Where the element itself is.
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
