extension UntypedSnapshot {
  /// The approximate number of bytes that it holds and another state does not.
  ///
  /// What identifiers and models hold elsewhere does not count.
  ///
  /// - Parameter other: A state whose leaves it may share; `nil` for none.
  /// - Complexity: O(l + s) for l leaves and s sections of both.
  package func bytes(besides other: UntypedSnapshot?) -> Int {
    var shared: Set<ObjectIdentifier> = []
    other?.forEachSection { facts in
      for leaf in facts.tree?.leaves ?? [] { shared.insert(leaf.identity) }
    }
    let item = kernels.items.stride + MemoryLayout<UInt32>.stride
    var bytes = 0
    forEachSection { facts in
      // The record, the facts, and their part of the tree of sections.
      bytes += 300
      // An entry of the table has 16 bytes, and about half of the slots are used.
      bytes += facts.itemCount * 32
      // A row of an outline has its level and flags besides.
      bytes += (facts.rowCount ?? 0) * (item + MemoryLayout<UInt64>.stride)
      if let tree = facts.tree {
        for leaf in tree.leaves where !shared.contains(leaf.identity) {
          bytes += 100 + leaf.count * (item + (leaf.models?.kernel.stride ?? 0))
        }
      } else {
        bytes += facts.itemCount * (item + (kernels.models?.stride ?? 0))
      }
    }
    return bytes
  }

  private func forEachSection(_ body: (SectionFacts) -> Void) {
    for index in 0..<order.count { withFacts(ofSectionAt: index, body) }
  }
}
