extension SpanTree {
  /// Checks the invariants of the type, if ``checksInvariants``.
  ///
  /// 1. The summary of a node covers everything below it.
  /// 2. A node has as many places as the branching factor of the tree, or none.
  func _checkInvariants() {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    root.check(span: rootSpan)
    #endif
  }
}

#if InternalChecks || DEBUG
extension SpanTreeNode {
  /// Checks a node and all below it.
  func check(span: Int) {
    let places = span == 1 ? elements.count : children.count
    precondition(places == 0 || places == Self.branching, "2: places of a node")
    var sum = SpanSummary()
    for case let element? in elements { sum = sum + element.summary }
    for case let child? in children {
      child.check(span: span / Self.branching)
      sum = sum + child.summary
    }
    precondition(sum == summary, "1: summary of a node")
  }
}
#endif
