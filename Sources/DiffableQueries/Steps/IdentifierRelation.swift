import Diffable

/// A relation between keys and members: which identifiers belong to which others.
struct IdentifierRelation<Key: Hashable & Sendable, Member: Hashable & Sendable>: Sendable {
  private var members = IdentifierMap<Key, IdentifierSet<Member>>()

  /// - Complexity: expected O(1), given good hashes.
  mutating func insert(_ member: Member, for key: Key) {
    members.change(key, default: IdentifierSet()) { $0.insert(member) }
  }

  /// - Complexity: The same as ``insert(_:for:)``.
  mutating func remove(_ member: Member, for key: Key) {
    guard var rest = members[key] else { return }
    // The set must have a single holder, so that it is edited in place.
    members[key] = nil
    rest.remove(member)
    if !rest.isEmpty { members[key] = rest }
  }

  /// The members of a key, in insertion order.
  subscript(key: Key) -> [Member] { members[key]?.inOrder ?? [] }
}
