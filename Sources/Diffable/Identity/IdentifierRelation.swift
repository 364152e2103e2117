/// Which identifiers belong to which others.
struct IdentifierRelation<Key: Hashable & Sendable, Member: Hashable & Sendable>: Sendable {
  private var members = IdentifierMap<Key, IdentifierSet<Member>>()

  /// - Complexity: expected O(1), given good hashes.
  mutating func insert(_ member: Member, for key: Key) {
    members.change(key, default: IdentifierSet()) { $0.insert(member) }
  }

  /// - Complexity: that of ``insert(_:for:)``.
  mutating func remove(_ member: Member, for key: Key) {
    guard var rest = members[key] else { return }
    // Held once, so that it is edited in place.
    members[key] = nil
    rest.remove(member)
    if !rest.isEmpty { members[key] = rest }
  }

  /// What belongs to a key, in the order in which it came.
  subscript(key: Key) -> [Member] { members[key]?.inOrder ?? [] }
}
