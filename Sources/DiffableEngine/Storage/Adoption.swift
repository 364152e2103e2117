/// Turns an array into a tree, using an earlier tree that most likely contains most elements.
///
/// It knows elements by their addresses, and compares and hashes them through a kernel. So it is
/// compiled once, for elements of any type.
///
/// First a ``Walk`` matches the array with the leaves. Then a ``LeafPlan`` decides which leaves are
/// kept and which are made again.
///
/// The methods of its parts that are called for each element are `mutating` even if they change
/// nothing: a value that is only read, of up to 400 bytes, would be copied for each call.
package struct Adoption {
  let elements: Elements
  let leaves: [OldLeaf]
  let kernel: ElementKernel
  /// By index in the array: the hash of an element that is in a new leaf or has arrived.
  let hashes: UnsafeBufferPointer<UInt32>
  /// Indices of elements that may have been elsewhere, ascending.
  let arrivals: [Int]
  let plan: LeafPlan

  /// Matches an array with the leaves of a tree and decides on new leaves.
  ///
  /// It is `nil` if an element appears twice in the array, or the labels are used up.
  init?(
    of elements: Elements, by leaves: [OldLeaf], shape: TreeShape, kernel: ElementKernel,
    table: IdentityTable?, section: SectionKey?, mostChanges: Int, notes: Notes
  ) {
    var walk = Walk(
      along: elements, leaves, kernel,
      Search(for: elements, in: leaves, kernel, by: table, section: section), notes)
    arrivals = walk.match()
    guard !walk.pairs.isAmbiguous else { return nil }
    var matching = OrderMatching()
    (matching.runs, matching.inserts) = walk.pairs.weave(
      arrivals, count: elements.count, startLeaves: notes.startLeaves)
    var plan = LeafPlan(
      matching, of: elements.count, by: leaves, shape: shape, section: section, notes)
    plan.make(mostChanges: mostChanges, leaving: walk.pairs)
    guard !plan.hasNoLabels else { return nil }
    self.plan = plan
    self.elements = elements
    self.leaves = leaves
    self.kernel = kernel
    hashes = UnsafeBufferPointer(notes.hashes)
  }
}
