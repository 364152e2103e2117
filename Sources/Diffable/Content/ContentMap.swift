/// A map whose copies share what they have in common.
///
/// Every revision of a source has its own map from identifiers to models. Copying one costs O(1), a
/// change copies one path of it, and what two related maps do not share is all that has to be looked
/// at to find how they differ.
///
/// It is a hash trie: five bits of the hash choose the slot at each level, and a slot holds an entry
/// or a node. The layout of nodes, entries apart from children and each found by counting bits, is
/// that of a compressed hash-array mapped prefix tree (Steindorfer and Vinju, “Optimizing Hash-Array
/// Mapped Tries for Fast and Lean Immutable JVM Collections”, OOPSLA 2015). Nodes are values over
/// arrays: a node that only one map holds is edited in place, one that is shared is copied.
///
/// Invariants:
/// 1. `count` is the number of entries in all nodes.
/// 2. In a node no slot is in both bit sets, and each set has as many bits as its array elements; a
///    bucket, below the last bits of a hash, has entries alone and no bits.
/// 3. An entry stands on the path that the hash of its key gives, and no key stands twice.
/// 4. No node but the root holds fewer than two entries, all levels below it included. So maps with
///    the same keys have the same shape.
@usableFromInline
struct ContentMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline struct Entry: Sendable {
    @usableFromInline let key: Key
    @usableFromInline var value: Value

    @inlinable init(key: Key, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// Up to 32 slots that hold an entry, a node or nothing.
  @usableFromInline struct Node: Sendable {
    /// The slots that hold an entry.
    @usableFromInline var entryBits: UInt32 = 0
    /// The slots that hold a node.
    @usableFromInline var childBits: UInt32 = 0
    /// The entries, in the order of their slots.
    @usableFromInline var entries: ContiguousArray<Entry> = []
    /// The nodes, in the order of their slots.
    @usableFromInline var children: ContiguousArray<Node> = []

    @inlinable init() {}
  }

  /// What clients have compiled of the map; without it the same is done by generic code.
  @usableFromInline var kernel: ContentKernel<Key, Value>?
  @usableFromInline var root = Node()
  /// The number of keys.
  @usableFromInline var count = 0

  @inlinable init(_ kernel: ContentKernel<Key, Value>? = nil) {
    self.kernel = kernel
  }

  /// The value of a key.
  ///
  /// - Complexity: O(log n) for n keys, given a good hash; one hash and, as a rule, one comparison.
  subscript(key: Key) -> Value? {
    guard let kernel else { return root.value(of: key, HashPath(key)) }
    return kernel.value(root, key)
  }

  /// Gives a key a value.
  ///
  /// - Complexity: O(log n) for n keys, given a good hash.
  @inlinable mutating func set(_ value: Value, for key: Key) {
    if root.set(value, for: key, HashPath(key)) { count += 1 }
    _checkInvariants(after: key)
  }

  /// Removes a key, if it is there.
  ///
  /// - Complexity: O(log n) for n keys, given a good hash.
  mutating func remove(_ key: Key) {
    if let kernel { kernel.remove(&self, key) } else { removeKey(key) }
  }

  @inlinable mutating func removeKey(_ key: Key) {
    // A removal copies what is shared on its way down, so it had better find something.
    let path = HashPath(key)
    guard root.value(of: key, path) != nil, root.remove(key, path) else { return }
    count -= 1
    _checkInvariants(after: key)
  }

  /// The keys, in no particular order.
  ///
  /// - Complexity: O(n) for n keys.
  @inlinable var keys: [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(count)
    root.forEach { keys.append($0.key) }
    return keys
  }
}

/// The slots that the hash of a key leads through.
@usableFromInline struct HashPath {
  @usableFromInline let hash: UInt32
  /// How many bits of the hash lie behind.
  @usableFromInline let shift: UInt32

  @inlinable init(_ key: some Hashable, shift: UInt32 = 0) {
    // All bits count here; `storedHash` has one that is always set.
    hash = UInt32(truncatingIfNeeded: key.hashValue)
    self.shift = shift
  }

  @inlinable init(hash: UInt32, shift: UInt32) {
    self.hash = hash
    self.shift = shift
  }

  /// The slot at this level, as a bit.
  @inlinable var slot: UInt32 { 1 << ((hash >> shift) & 31) }

  /// Whether all bits of the hash have been used.
  @inlinable var isExhausted: Bool { shift >= UInt32.bitWidth }

  /// The path from the next level on.
  @inlinable var next: HashPath { HashPath(hash: hash, shift: shift + 5) }
}
