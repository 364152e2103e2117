/// Unique identifiers in insertion order.
///
/// A few are compared one by one, which is faster than to hash them; more of them are in an
/// ``IdentifierMap``. Two references, since most sets are empty, and those of a snapshot are copied often.
@usableFromInline package struct IdentifierSet<Key: Hashable & Sendable>: Sendable {
  /// All of them, as long as there are few.
  @usableFromInline var few: [Key] = []
  @usableFromInline var many: CopyOnWrite<IdentifierMap<Key, Void>>?

  @inlinable package init() {}

  @inlinable package init(_ keys: some Sequence<Key>) {
    for key in keys { insert(key) }
  }

  @inlinable static var fewest: Int { 8 }

  @inlinable package var count: Int { many?.read { $0.pointee.count } ?? few.count }
  @inlinable package var isEmpty: Bool { count == 0 }
  @inlinable package var inOrder: [Key] {
    many?.read { $0.pointee.inOrder } ?? few
  }

  @inlinable package func contains(_ key: Key) -> Bool {
    many?.read { $0.pointee[key] != nil } ?? few.contains(key)
  }

  /// Adds an identifier; returns whether it is new.
  ///
  /// - Complexity: expected O(1), given a good hash.
  @discardableResult
  @inlinable package mutating func insert(_ key: Key) -> Bool {
    guard many == nil else { return many?.value.insert(key) ?? false }
    guard !few.contains(key) else { return false }
    few.append(key)
    guard few.count > Self.fewest else { return true }
    var map = IdentifierMap<Key, Void>()
    for key in few { map.insert(key) }
    (few, many) = ([], CopyOnWrite(map))
    return true
  }

  /// - Complexity: expected O(1), given a good hash.
  @inlinable package mutating func remove(_ key: Key) {
    if many != nil {
      many?.value[key] = nil
    } else if let place = few.firstIndex(of: key) {
      few.remove(at: place)
    }
  }
}

extension IdentifierMap where Value == Void {
  @inlinable var inOrder: [Key] { count == keys.count ? keys : elements.map { $0.key } }

  /// Adds a key; returns whether it is new.
  @discardableResult
  @inlinable mutating func insert(_ key: Key) -> Bool {
    let hash = key.hashValue
    guard find(key, hash: hash) == nil else { return false }
    append(key, hash, ())
    return true
  }
}
