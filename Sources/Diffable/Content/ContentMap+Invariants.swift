extension ContentMap {
  /// Checks the numbered invariants of the type, where the `InternalChecks` trait is on.
  ///
  /// A change leaves all nodes alone but those on the path of its key. In a map of more than a few
  /// entries only these are checked: looking at everything after every change would be quadratic.
  @inlinable func _checkInvariants(after key: Key) {
    #if InternalChecks
    let fault = (count > 64 ? faults(onPathTo: key) : faults).first
    precondition(fault == nil, fault ?? "")
    #endif
  }

  /// Everything by which the numbered invariants of the type do not hold.
  @usableFromInline var faults: [String] {
    var faults: [String] = []
    var keys: Set<Key> = []
    root.visit { node, slots in
      faults += node.faults(below: slots)
      for entry in node.entries where !keys.insert(entry.key).inserted {
        faults.append("3: a key stands twice")
      }
    }
    if keys.count != count { faults.append("1: the count is wrong") }
    return faults
  }

  /// Everything by which the invariants do not hold in the nodes that lead to a key.
  @usableFromInline func faults(onPathTo key: Key) -> [String] {
    var faults: [String] = []
    var (node, path, slots) = (root, HashPath(key), [UInt32]())
    while true {
      faults += node.faults(below: slots)
      guard !path.isExhausted, node.childBits & path.slot != 0 else { return faults }
      slots.append(path.slot)
      node = node.children[(node.childBits & (path.slot - 1)).nonzeroBitCount]
      path = path.next
    }
  }
}

extension ContentMap.Node {
  /// Everything by which the invariants 2 to 4 do not hold in this node.
  ///
  /// - Parameter slots: The slots that lead to it, from the root on.
  fileprivate func faults(below slots: [UInt32]) -> [String] {
    var faults: [String] = []
    let isBucket = slots.count * 5 >= UInt32.bitWidth
    if isBucket {
      if entryBits | childBits != 0 || !children.isEmpty { faults.append("2: a bucket has slots") }
    } else {
      if entryBits & childBits != 0 { faults.append("2: a slot is taken twice") }
      if entryBits.nonzeroBitCount != entries.count || childBits.nonzeroBitCount != children.count {
        faults.append("2: bits and elements do not agree")
      }
    }
    for entry in entries {
      var path = HashPath(entry.key)
      var isThere = true
      for slot in slots {
        isThere = isThere && path.slot == slot
        path = path.next
      }
      if !isThere || !isBucket && entryBits & path.slot == 0 {
        faults.append("3: a key stands elsewhere")
      }
    }
    if !slots.isEmpty, children.isEmpty, entries.count < 2 {
      faults.append("4: a node holds fewer than two entries")
    }
    return faults
  }

  /// Calls a function with every node and the slots that lead to it.
  fileprivate func visit(below slots: [UInt32] = [], _ body: (ContentMap.Node, [UInt32]) -> Void) {
    body(self, slots)
    var rest = childBits
    for child in children {
      let slot = rest & (0 &- rest)
      rest &= rest &- 1
      child.visit(below: slots + [slot], body)
    }
  }
}
