extension ContentMap.Node {
  /// The index of an entry or a child among those that a bit set counts.
  @inlinable func index(of slot: UInt32, in bits: UInt32) -> Int {
    (bits & (slot - 1)).nonzeroBitCount
  }

  @inlinable func value(of key: Key, _ path: HashPath) -> Value? {
    guard !path.isExhausted else { return entries.first { $0.key == key }?.value }
    let slot = path.slot
    if childBits & slot != 0 {
      return children[index(of: slot, in: childBits)].value(of: key, path.next)
    }
    guard entryBits & slot != 0 else { return nil }
    let entry = entries[index(of: slot, in: entryBits)]
    return entry.key == key ? entry.value : nil
  }

  /// - Returns: Whether the key is new.
  @inlinable mutating func set(_ value: Value, for key: Key, _ path: HashPath) -> Bool {
    guard !path.isExhausted else {
      if let index = entries.firstIndex(where: { $0.key == key }) {
        entries[index].value = value
        return false
      }
      entries.append(ContentMap.Entry(key: key, value: value))
      return true
    }
    let slot = path.slot
    if childBits & slot != 0 {
      return children[index(of: slot, in: childBits)].set(value, for: key, path.next)
    }
    let place = index(of: slot, in: entryBits)
    guard entryBits & slot != 0 else {
      entryBits |= slot
      entries.insert(ContentMap.Entry(key: key, value: value), at: place)
      return true
    }
    guard entries[place].key != key else {
      entries[place].value = value
      return false
    }
    let neighbour = entries.remove(at: place)
    var child = ContentMap.Node()
    _ = child.set(
      neighbour.value, for: neighbour.key, HashPath(neighbour.key, shift: path.shift).next)
    _ = child.set(value, for: key, path.next)
    entryBits &= ~slot
    childBits |= slot
    children.insert(child, at: index(of: slot, in: childBits))
    return true
  }

  /// Removes a key.
  ///
  /// - Returns: Whether it was there.
  @inlinable mutating func remove(_ key: Key, _ path: HashPath) -> Bool {
    guard !path.isExhausted else {
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return false }
      entries.remove(at: index)
      return true
    }
    let slot = path.slot
    guard childBits & slot != 0 else {
      guard entryBits & slot != 0 else { return false }
      entries.remove(at: index(of: slot, in: entryBits))
      entryBits &= ~slot
      return true
    }
    let place = index(of: slot, in: childBits)
    guard children[place].remove(key, path.next) else { return false }
    guard children[place].entries.count == 1, children[place].children.isEmpty else {
      return true
    }
    let rest = children.remove(at: place).entries[0]
    childBits &= ~slot
    entryBits |= slot
    entries.insert(rest, at: index(of: slot, in: entryBits))
    return true
  }

  @inlinable func forEach(_ body: (ContentMap.Entry) -> Void) {
    entries.forEach(body)
    for child in children { child.forEach(body) }
  }
}
