/// An array on its way into a tree that most likely held most of it before.
///
/// It knows elements by their addresses, and asks a kernel to compare and hash them: so it is compiled
/// once, for elements of any type.
///
/// First a ``Walk`` matches the array with the leaves. Then a ``LeafPlan`` says which leaves are kept,
/// and which are made anew.
///
/// What is asked of their parts for each element is `mutating` even where it changes nothing: a value
/// that is only read, of up to 400 bytes, would be copied for each call.
struct Adoption {
  let elements: Elements
  let leaves: [OldLeaf]
  let kernel: ElementKernel
  /// By index in the array: the hash of what is in a new leaf, or has arrived.
  let hashes: UnsafeBufferPointer<UInt32>
  /// Indices of elements that may have stood elsewhere, ascending.
  let arrivals: [Int]
  let plan: LeafPlan

  /// Matches an array with the leaves of a tree and decides on new leaves; `nil` where an element
  /// stands twice in the array, or there are no labels left.
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
