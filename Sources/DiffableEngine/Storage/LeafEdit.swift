/// An edit that changes one leaf and keeps its label.
enum LeafEdit {
  /// Inserts elements before a position; with their models, if there are any.
  case insert(ElementSpan, models: ModelSpan? = nil)
  /// Removes the element at a position; the models of the others may stay beside them.
  case remove(keepingModels: Bool = false)

  /// The place of an edit: the label of the leaf, the offset, and the inserted or removed hash.
  struct Place {
    let label: LeafLabel
    let offset: Int
    let hash: UInt32
  }

  /// The change of the number of elements.
  var change: Int {
    switch self {
    case .insert(let span, _): span.count
    case .remove: -1
    }
  }

  /// Whether the leaf has models afterwards.
  var keepsModels: Bool {
    switch self {
    case .insert(_, let models): models != nil
    case .remove(let keepsModels): keepsModels
    }
  }

  /// Whether the leaf is neither too full nor too thin after the edit, and has the models to keep.
  func isPossible(in leaf: Leaf, _ shape: TreeShape) -> Bool {
    guard !keepsModels || leaf.models != nil else { return false }
    return switch self {
    case .insert(let span, _): span.count > 0 && leaf.count + span.count <= shape.leafCapacity
    case .remove: leaf.count > max(1, shape.leafCapacity / 4)
    }
  }

  /// Edits a leaf that has room and a single holder.
  func perform(in leaf: inout Leaf, at offset: Int) -> Place {
    switch self {
    case .insert(let span, let models):
      leaf.insert(span, models, at: offset)
      return Place(label: leaf.label, offset: offset, hash: span.hashes[0])
    case .remove:
      let hash = leaf.span.hashes[offset]
      leaf.remove(at: offset)
      return Place(label: leaf.label, offset: offset, hash: hash)
    }
  }
}
