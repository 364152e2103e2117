/// An edit that changes one leaf and leaves its label alone.
enum LeafEdit {
  /// Elements that come before a position.
  case insert(ElementSpan)
  /// The element at a position goes.
  case remove

  /// Where a leaf was edited: its label, the offset in it, and the hash of what came or went there.
  struct Place {
    let label: LeafLabel
    let offset: Int
    let hash: UInt32
  }

  /// By how much the number of elements changes.
  var change: Int {
    switch self {
    case .insert(let span): span.count
    case .remove: -1
    }
  }

  /// Whether the leaf is neither too full nor too thin afterwards.
  func isPossible(in leaf: Leaf, _ shape: TreeShape) -> Bool {
    switch self {
    case .insert(let span): span.count > 0 && leaf.count + span.count <= shape.leafCapacity
    case .remove: leaf.count > max(1, shape.leafCapacity / 4)
    }
  }

  /// Edits a leaf that nobody else holds and that has room.
  func perform(in leaf: Leaf, at offset: Int) -> Place {
    switch self {
    case .insert(let span):
      leaf.insert(span, at: offset)
      return Place(label: leaf.label, offset: offset, hash: span.hashes[0])
    case .remove:
      let hash = leaf.span.hashes[offset]
      leaf.remove(at: offset)
      return Place(label: leaf.label, offset: offset, hash: hash)
    }
  }
}
