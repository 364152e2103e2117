/// Values by identifier, in insertion order of the identifiers.
///
/// The core uses this instead of `Dictionary` and `Set`, which stop the program when a key breaks
/// the laws of `Hashable`. Here each key is hashed once and compared only by its own `==`. A broken
/// law loses entries, or keeps several for one key, and has no other effect.
///
/// It uses chained hashing over lists of keys and values. A removed entry is taken out of its chain at
/// once, and out of the lists when they grow. Chains have a list of their own, so generic code follows
/// one without copying a key.
@usableFromInline package struct IdentifierMap<Key: Hashable, Value> {
  @usableFromInline var keys: [Key] = []
  /// `nil` if the entry has been removed.
  @usableFromInline var values: [Value?] = []
  /// By entry: its hash, and the next entry of its chain, or -1.
  @usableFromInline var links: [(hash: Int, next: Int)] = []
  /// By slot: the first entry of the chain, or -1.
  ///
  /// Their number is a power of 2.
  @usableFromInline var slots: [Int] = []
  @usableFromInline package var count = 0

  @inlinable package init() {}

  @inlinable package var isEmpty: Bool { count == 0 }

  /// The entries, first to last.
  @inlinable package var elements: some Sequence<(key: Key, value: Value)> {
    keys.indices.lazy.compactMap { index in values[index].map { (keys[index], $0) } }
  }

  /// The value of a key; `nil` removes it.
  ///
  /// - Complexity: expected O(1), given a good hash.
  @inlinable package subscript(key: Key) -> Value? {
    get { find(key, hash: key.hashValue).flatMap { values[$0] } }
    set {
      let hash = key.hashValue
      let index = find(key, hash: hash)
      if let newValue {
        if let index { values[index] = newValue } else { append(key, hash, newValue) }
      } else if let index {
        unlink(index)
      }
    }
  }

  /// Changes the value of a key, or a default value if the key has none.
  @inlinable package mutating func change(
    _ key: Key, default value: @autoclosure () -> Value, _ body: (inout Value) -> Void
  ) {
    let hash = key.hashValue
    guard let index = find(key, hash: hash), var old = values[index] else {
      var new = value()
      body(&new)
      return append(key, hash, new)
    }
    // The value must have a single holder, so that nothing is copied.
    values[index] = nil
    body(&old)
    values[index] = old
  }

  @inlinable func find(_ key: Key, hash: Int) -> Int? {
    guard !slots.isEmpty else { return nil }
    var index = slots[hash & (slots.count - 1)]
    while index >= 0 {
      if links[index].hash == hash, keys[index] == key { return index }
      index = links[index].next
    }
    return nil
  }

  @inlinable mutating func append(_ key: Key, _ hash: Int, _ value: Value) {
    if links.count == slots.count { makeRoom() }
    count += 1
    keys.append(key)
    values.append(value)
    links.append((hash, -1))
    link(links.count - 1)
  }

  @inlinable mutating func link(_ index: Int) {
    let slot = links[index].hash & (slots.count - 1)
    links[index].next = slots[slot]
    slots[slot] = index
  }

  @inlinable mutating func unlink(_ index: Int) {
    let slot = links[index].hash & (slots.count - 1)
    if slots[slot] == index {
      slots[slot] = links[index].next
    } else {
      var previous = slots[slot]
      while links[previous].next != index { previous = links[previous].next }
      links[previous].next = links[index].next
    }
    values[index] = nil
    count -= 1
  }

  /// Drops removed entries, and doubles the slots if few were removed.
  @inlinable mutating func makeRoom() {
    if count < links.count {
      let kept = links.indices.filter { values[$0] != nil }
      keys = kept.map { keys[$0] }
      values = kept.map { values[$0] }
      links = kept.map { links[$0] }
    }
    var slotCount = Swift.max(8, slots.count)
    while links.count * 2 > slotCount { slotCount *= 2 }
    slots = Array(repeating: -1, count: slotCount)
    for index in links.indices { link(index) }
  }
}

extension IdentifierMap: Sendable where Key: Sendable, Value: Sendable {}
