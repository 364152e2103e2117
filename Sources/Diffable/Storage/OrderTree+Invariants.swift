extension OrderTree {
  /// Checks the numbered invariants of the type, where the `InternalChecks` trait is on.
  @usableFromInline func _checkInvariants() {
    #if InternalChecks
    guard let root else { return }
    check(root)
    let labels = leaves.map(\.label)
    precondition(zip(labels, labels.dropFirst()).allSatisfy { $0 < $1 }, "1: labels ascend")
    #endif
  }

  #if InternalChecks
  @usableFromInline func check(_ node: OrderNode<Summary>) {
    switch node {
    case .leaf(let leaf):
      precondition(!leaf.elements.isEmpty, "2: no leaf is empty")
      precondition(
        leaf.hashes.elementsEqual(leaf.elements.map(\.storedHash)), "3: stored hashes are true")
      precondition(!leaf.hashes.contains(0), "3: no hash is 0")
      precondition(leaf.elements.count <= shape.leafCapacity, "4: leaf capacity")
    case .inner(let inner):
      precondition(!inner.children.isEmpty, "2: no inner node is without children")
      precondition(inner.children.count <= shape.fanout, "4: fanout")
      for child in inner.children {
        precondition(child.label == child.node.firstLabel, "1: first label of a child")
        precondition(child.count == child.node.count, "1: count of a child")
        precondition(child.summary == child.node.summary, "1: summary of a child")
        precondition(child.node.height == inner.height - 1, "2: leaves at one depth")
        check(child.node)
      }
    }
  }
  #endif
}
