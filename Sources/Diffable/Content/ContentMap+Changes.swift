extension ContentMap {
  /// Calls a function with the entries of this map, each with the value that an older map has for
  /// its key, unless an entry is known to be the same because it stands in shared storage.
  ///
  /// - Complexity: O(c · log n) for c changes that lie between two related maps of n keys; O(n) for
  ///   unrelated ones.
  @inlinable func forEachUnshared(
    since old: ContentMap, _ body: (_ key: Key, _ old: Value?, _ new: Value) -> Void
  ) {
    root.forEachUnshared(since: old.root, shift: 0, body)
  }
}

extension ContentMap.Node {
  @inlinable func forEachUnshared(
    since old: ContentMap.Node, shift: UInt32, _ body: (Key, Value?, Value) -> Void
  ) {
    if !(entryBits == old.entryBits && entries.sharesStorage(with: old.entries)) {
      for entry in entries {
        body(entry.key, old.value(of: entry.key, HashPath(entry.key, shift: shift)), entry.value)
      }
    }
    guard !(childBits == old.childBits && children.sharesStorage(with: old.children)) else {
      return
    }
    var rest = childBits
    while rest != 0 {
      let slot = rest & (0 &- rest)
      rest &= rest - 1
      let child = children[index(of: slot, in: childBits)]
      if old.childBits & slot != 0 {
        let oldChild = old.children[index(of: slot, in: old.childBits)]
        child.forEachUnshared(since: oldChild, shift: shift + 5, body)
      } else if old.entryBits & slot != 0 {
        let oldEntry = old.entries[index(of: slot, in: old.entryBits)]
        child.forEach { entry in
          body(entry.key, entry.key == oldEntry.key ? oldEntry.value : nil, entry.value)
        }
      } else {
        child.forEach { body($0.key, nil, $0.value) }
      }
    }
  }
}

extension ContiguousArray {
  /// Answers whether two arrays are the same piece of memory, and so hold the same elements.
  @inlinable func sharesStorage(with other: ContiguousArray) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBufferPointer { left in
      other.withUnsafeBufferPointer { right in
        left.isEmpty || left.baseAddress == right.baseAddress
      }
    }
  }
}
