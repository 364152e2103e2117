/// Elements that lost their place, to be found elsewhere by hash and equality.
///
/// It uses chained hashing over a list of leftovers. A taken leftover is removed from its chain. So
/// an element that appears twice on the other side finds a partner only once, and the chains get
/// shorter, even if all hashes are equal.
///
/// - Complexity: O(m) to create for m elements; expected O(1) for each lookup.
package struct LeftoverPool {
  package let leftovers: [OrderMatching.Leftover]
  let kernel: ElementKernel
  var isTaken: [Bool]
  /// By slot: the first leftover of the chain, or -1.
  var first: [Int32]
  /// By leftover: the next one in its chain, or -1.
  var next: [Int32]

  package init(_ leftovers: [OrderMatching.Leftover], _ kernel: ElementKernel) {
    precondition(leftovers.count < Int32.max, "More elements than a pool can number")
    self.kernel = kernel
    self.leftovers = leftovers
    isTaken = Array(repeating: false, count: leftovers.count)
    var slotCount = leftovers.isEmpty ? 0 : 8
    while slotCount < leftovers.count { slotCount *= 2 }
    first = Array(repeating: -1, count: slotCount)
    next = Array(repeating: -1, count: leftovers.count)
    for index in leftovers.indices.reversed() {
      let slot = Int(leftovers[index].hash >> 1) & (slotCount - 1)
      next[index] = first[slot]
      first[slot] = Int32(truncatingIfNeeded: index)
    }
  }

  /// Takes the first leftover that is equal and not taken yet, and returns its place in the list.
  package mutating func take(_ other: OrderMatching.Leftover) -> Int? {
    guard !first.isEmpty else { return nil }
    let slot = Int(other.hash >> 1) & (first.count - 1)
    var index = Int(first[slot])
    var previous = -1
    while index >= 0 {
      if leftovers[index].hash == other.hash,
        kernel.areEqual(leftovers[index].address, other.address)
      {
        if previous < 0 { first[slot] = next[index] } else { next[previous] = next[index] }
        isTaken[index] = true
        return index
      }
      (previous, index) = (index, Int(next[index]))
    }
    return nil
  }
}
