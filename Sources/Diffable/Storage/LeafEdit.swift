/// An edit that changes one leaf and keeps its label.
enum LeafEdit {
  /// Inserts elements before a position.
  case insert(ElementSpan)
  /// Removes the element at a position.
  case remove

  /// The place of an edit: the label of the leaf, the offset, and the inserted or removed hash.
  struct Place {
    let label: LeafLabel
    let offset: Int
    let hash: UInt32
  }

  /// The change of the number of elements.
  var change: Int {
    switch self {
    case .insert(let span): span.count
    case .remove: -1
    }
  }

  /// Whether the leaf is neither too full nor too thin after the edit.
  func isPossible(in leaf: Leaf, _ shape: TreeShape) -> Bool {
    switch self {
    case .insert(let span): span.count > 0 && leaf.count + span.count <= shape.leafCapacity
    case .remove: leaf.count > max(1, shape.leafCapacity / 4)
    }
  }

  /// Edits a leaf that has room and a single holder.
  func perform(in leaf: inout Leaf, at offset: Int) -> Place {
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
