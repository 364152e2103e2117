/// Values by identifier, in insertion order of the identifiers.
///
/// The core uses this instead of `Dictionary` and `Set`, which stop the program when a key breaks
/// the laws of `Hashable`. Here each key is hashed once and compared only by its own `==`. A broken
/// law loses entries, or keeps several for one key, and has no other effect.
///
/// It uses chained hashing over lists of keys and values. A removed entry is taken out of its chain at
/// once, and out of the lists when they grow. Hashes and chains have lists of their own, so generic code
/// follows a chain without copying a key.
@usableFromInline package struct IdentifierMap<Key: Hashable, Value> {
  @usableFromInline var keys: [Key] = []
  /// `nil` if the entry has been removed.
  @usableFromInline var values: [Value?] = []
  @usableFromInline var hashes: [Int] = []
  /// By entry: the next entry of its chain, or -1.
  @usableFromInline var nexts: [Int] = []
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
      if hashes[index] == hash, keys[index] == key { return index }
      index = nexts[index]
    }
    return nil
  }

  @inlinable mutating func append(_ key: Key, _ hash: Int, _ value: Value) {
    if hashes.count == slots.count { makeRoom() }
    count += 1
    keys.append(key)
    values.append(value)
    hashes.append(hash)
    nexts.append(-1)
    link(hashes.count - 1)
  }

  @inlinable mutating func link(_ index: Int) {
    let slot = hashes[index] & (slots.count - 1)
    nexts[index] = slots[slot]
    slots[slot] = index
  }

  @inlinable mutating func unlink(_ index: Int) {
    let slot = hashes[index] & (slots.count - 1)
    if slots[slot] == index {
      slots[slot] = nexts[index]
    } else {
      var previous = slots[slot]
      while nexts[previous] != index { previous = nexts[previous] }
      nexts[previous] = nexts[index]
    }
    values[index] = nil
    count -= 1
  }

  /// Drops removed entries, and doubles the slots if few were removed.
  @inlinable mutating func makeRoom() {
    if count < hashes.count {
      let kept = hashes.indices.filter { values[$0] != nil }
      keys = kept.map { keys[$0] }
      values = kept.map { values[$0] }
      hashes = kept.map { hashes[$0] }
      nexts = Array(repeating: -1, count: kept.count)
    }
    var slotCount = Swift.max(8, slots.count)
    while hashes.count * 2 > slotCount { slotCount *= 2 }
    slots = Array(repeating: -1, count: slotCount)
    for index in hashes.indices { link(index) }
  }
}

extension IdentifierMap: Sendable where Key: Sendable, Value: Sendable {}
