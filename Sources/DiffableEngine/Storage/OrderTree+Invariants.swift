extension OrderTree {
  /// Checks the numbered invariants of the type, if the `InternalChecks` trait is on.
  func _checkInvariants() {
    #if InternalChecks
    guard let root else { return }
    check(root)
    let labels = leaves.map(\.label)
    precondition(zip(labels, labels.dropFirst()).allSatisfy { $0 < $1 }, "1: labels ascend")
    #endif
  }

  #if InternalChecks
  func check(_ node: OrderNode) {
    switch node {
    case .leaf(let leaf):
      precondition(leaf.count > 0, "2: no leaf is empty")
      var hashes = [UInt32](repeating: 0, count: leaf.count)
      let (first, stored) = (leaf.span.first, leaf.span.hashBuffer)
      hashes.withUnsafeMutableBufferPointer { hashes in
        if let target = hashes.baseAddress { kernel.writeHashes(first, leaf.count, target) }
      }
      withExtendedLifetime(leaf) {
        precondition(stored.elementsEqual(hashes), "3: stored hashes are true")
        precondition(!stored.contains(0), "3: no hash is 0")
      }
      precondition(leaf.count <= shape.leafCapacity, "4: leaf capacity")
    case .inner(let inner):
      precondition(!inner.children.isEmpty, "2: no inner node is without children")
      precondition(inner.children.count <= shape.fanout, "4: fanout")
      var totals = Totals()
      for child in inner.children { totals.append(child.totals) }
      precondition(inner.totals == totals, "1: totals")
      for child in inner.children {
        precondition(child.label == child.node.firstLabel, "1: first label of a child")
        precondition(child.count == child.node.count, "1: count of a child")
        precondition(child.node.height == inner.height - 1, "2: leaves at one depth")
        check(child.node)
      }
    }
  }
  #endif
}
