/// Values by identifier, in insertion order of the identifiers.
///
/// The core uses this instead of `Dictionary` and `Set`, which stop the program when a key breaks
/// the laws of `Hashable`. Here each key is hashed once and compared only by its own `==`. A broken
/// law loses entries, or keeps several for one key, and has no other effect.
///
/// It uses chained hashing over a list of entries. A removed entry is taken out of its chain at
/// once, and out of the list when the list grows.
@usableFromInline struct IdentifierMap<Key: Hashable, Value> {
  @usableFromInline struct Entry {
    @usableFromInline let key: Key
    @usableFromInline let hash: Int
    /// `nil` if the entry has been removed.
    @usableFromInline var value: Value?
    /// The next entry of the chain, or -1.
    @usableFromInline var next = -1

    @inlinable init(key: Key, hash: Int, value: Value) {
      self.key = key
      self.hash = hash
      self.value = value
    }
  }

  @usableFromInline var entries: [Entry] = []
  /// By slot: the first entry of the chain, or -1.
  ///
  /// Their number is a power of 2.
  @usableFromInline var slots: [Int] = []
  @usableFromInline var count = 0

  @inlinable init() {}

  @inlinable var isEmpty: Bool { count == 0 }

  /// The entries, first to last.
  @inlinable var elements: some Sequence<(key: Key, value: Value)> {
    entries.lazy.compactMap { entry in entry.value.map { (entry.key, $0) } }
  }

  /// The value of a key; `nil` removes it.
  ///
  /// - Complexity: expected O(1), given a good hash.
  @inlinable subscript(key: Key) -> Value? {
    get { find(key, hash: key.hashValue).flatMap { entries[$0].value } }
    set {
      let hash = key.hashValue
      let index = find(key, hash: hash)
      if let newValue {
        if let index { entries[index].value = newValue } else { append(key, hash, newValue) }
      } else if let index {
        unlink(index)
      }
    }
  }

  /// Changes the value of a key, or a default value if the key has none.
  @inlinable mutating func change(
    _ key: Key, default value: @autoclosure () -> Value, _ body: (inout Value) -> Void
  ) {
    let hash = key.hashValue
    guard let index = find(key, hash: hash), var old = entries[index].value else {
      var new = value()
      body(&new)
      return append(key, hash, new)
    }
    // The value must have a single holder, so that nothing is copied.
    entries[index].value = nil
    body(&old)
    entries[index].value = old
  }

  @inlinable func find(_ key: Key, hash: Int) -> Int? {
    guard !slots.isEmpty else { return nil }
    var index = slots[hash & (slots.count - 1)]
    while index >= 0 {
      if entries[index].hash == hash, entries[index].key == key { return index }
      index = entries[index].next
    }
    return nil
  }

  @inlinable mutating func append(_ key: Key, _ hash: Int, _ value: Value) {
    if entries.count == slots.count { makeRoom() }
    count += 1
    entries.append(Entry(key: key, hash: hash, value: value))
    link(entries.count - 1)
  }

  @inlinable mutating func link(_ index: Int) {
    let slot = entries[index].hash & (slots.count - 1)
    entries[index].next = slots[slot]
    slots[slot] = index
  }

  @inlinable mutating func unlink(_ index: Int) {
    let slot = entries[index].hash & (slots.count - 1)
    if slots[slot] == index {
      slots[slot] = entries[index].next
    } else {
      var previous = slots[slot]
      while entries[previous].next != index { previous = entries[previous].next }
      entries[previous].next = entries[index].next
    }
    entries[index].value = nil
    count -= 1
  }

  /// Drops removed entries, and doubles the slots if few were removed.
  @inlinable mutating func makeRoom() {
    if count < entries.count { entries.removeAll { $0.value == nil } }
    var slotCount = Swift.max(8, slots.count)
    while entries.count * 2 > slotCount { slotCount *= 2 }
    slots = Array(repeating: -1, count: slotCount)
    for index in entries.indices { link(index) }
  }
}

extension IdentifierMap: Sendable where Key: Sendable, Value: Sendable {}
extension IdentifierMap.Entry: Sendable where Key: Sendable, Value: Sendable {}

/// Unique identifiers in insertion order; see ``IdentifierMap``.
@usableFromInline struct IdentifierSet<Key: Hashable> {
  @usableFromInline var places = IdentifierMap<Key, Void>()

  @inlinable init() {}

  @inlinable init(_ keys: some Sequence<Key>) {
    for key in keys { insert(key) }
  }

  @inlinable var count: Int { places.count }
  @inlinable var isEmpty: Bool { places.isEmpty }
  @inlinable var inOrder: [Key] { places.elements.map { $0.key } }

  @inlinable func contains(_ key: Key) -> Bool { places[key] != nil }

  /// Adds an identifier; returns whether it is new.
  @discardableResult
  @inlinable mutating func insert(_ key: Key) -> Bool {
    let hash = key.hashValue
    guard places.find(key, hash: hash) == nil else { return false }
    places.append(key, hash, ())
    return true
  }

  @inlinable mutating func remove(_ key: Key) { places[key] = nil }
}

extension IdentifierSet: Sendable where Key: Sendable {}
