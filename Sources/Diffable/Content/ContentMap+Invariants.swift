extension ContentMap {
  /// Checks the numbered invariants of the type, where the `InternalChecks` trait is on.
  @inlinable func _checkInvariants() {
    #if InternalChecks
    let fault = faults.first
    precondition(fault == nil, fault ?? "")
    #endif
  }

  /// Everything by which the numbered invariants of the type do not hold.
  @usableFromInline var faults: [String] {
    var faults: [String] = []
    var keys: Set<Key> = []
    root.visit(shift: 0) { node, shift, slots in
      let isBucket = shift >= UInt32.bitWidth
      if isBucket {
        if node.entryBits | node.childBits != 0 || !node.children.isEmpty {
          faults.append("2: a bucket has slots")
        }
      } else {
        if node.entryBits & node.childBits != 0 { faults.append("2: a slot is taken twice") }
        if node.entryBits.nonzeroBitCount != node.entries.count
          || node.childBits.nonzeroBitCount != node.children.count
        {
          faults.append("2: bits and elements do not agree")
        }
      }
      for entry in node.entries {
        if !keys.insert(entry.key).inserted { faults.append("3: a key stands twice") }
        var path = HashPath(entry.key)
        for slot in slots {
          if path.slot != slot { faults.append("3: a key stands elsewhere") }
          path = path.next
        }
        if !isBucket, node.entryBits & path.slot == 0 {
          faults.append("3: a key stands elsewhere")
        }
      }
      if shift > 0, node.children.isEmpty, node.entries.count < 2 {
        faults.append("4: a node holds fewer than two entries")
      }
    }
    if keys.count != count { faults.append("1: the count is wrong") }
    return faults
  }
}

extension ContentMap.Node {
  /// Calls a function with every node, the bits of its hashes used above it, and the slots that
  /// lead to it.
  fileprivate func visit(
    shift: UInt32, slots: [UInt32] = [], _ body: (ContentMap.Node, UInt32, [UInt32]) -> Void
  ) {
    body(self, shift, slots)
    var rest = childBits
    for child in children {
      let slot = rest & (0 &- rest)
      rest &= rest &- 1
      child.visit(shift: shift + 5, slots: slots + [slot], body)
    }
  }
}
