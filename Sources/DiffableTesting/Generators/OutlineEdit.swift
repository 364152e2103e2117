package import Diffable

/// One edit of an outline, as a value that can be stored, applied and printed as Swift.
package enum OutlineEdit<ItemID: Hashable & Sendable>: Hashable, Sendable {
  /// Adds items as the last children of an item, or as the last roots.
  case append([ItemID], ItemID?)
  /// Inserts items before another.
  case insertBefore([ItemID], ItemID)
  /// Inserts items after another.
  case insertAfter([ItemID], ItemID)
  /// Deletes items with their descendants.
  case delete([ItemID])
  /// Deletes everything.
  case deleteAll
  /// Replaces the descendants of an item with a flat list of children.
  case replaceChildren(ItemID, [ItemID])
  /// Moves an item before another.
  case moveBefore(ItemID, ItemID)
  /// Moves an item after another.
  case moveAfter(ItemID, ItemID)
  /// Moves an item below another.
  case moveInto(ItemID, ItemID)
  /// Expands items.
  case expand([ItemID])
  /// Collapses items.
  case collapse([ItemID])
  /// Marks the children of items as not loaded.
  case setChildrenUnloaded([ItemID])
  /// Marks the children of items as loaded.
  case setChildrenLoaded([ItemID])

  /// Applies the edit to an outline.
  ///
  /// - Throws: The error of the edit. The outline is unchanged then.
  package func apply(to outline: inout Outline<ItemID>) throws(SnapshotError) {
    switch self {
    case .append(let new, let parent): try outline.append(new, to: parent)
    case .insertBefore(let new, let anchor): try outline.insert(new, before: anchor)
    case .insertAfter(let new, let anchor): try outline.insert(new, after: anchor)
    case .delete(let gone): outline.delete(gone)
    case .deleteAll: outline.deleteAll()
    case .replaceChildren(let parent, let new):
      try outline.replace(childrenOf: parent, using: Outline(new))
    case .moveBefore(let item, let anchor): try outline.move(item, before: anchor)
    case .moveAfter(let item, let anchor): try outline.move(item, after: anchor)
    case .moveInto(let item, let parent): try outline.move(item, into: parent)
    case .expand(let items): outline.expand(items)
    case .collapse(let items): outline.collapse(items)
    case .setChildrenUnloaded(let items): outline.setChildrenUnloaded(of: items)
    case .setChildrenLoaded(let items): outline.setChildrenUnloaded(of: items, false)
    }
  }
}

extension OutlineEdit: CustomStringConvertible {
  /// The edit as a line of Swift, such as `try outline.append(["a"], to: "b")`.
  ///
  /// It compiles if the debug descriptions of the identifiers are literals for them.
  package var description: String {
    func code(_ value: some Any) -> String { String(reflecting: value) }
    return switch self {
    case .append(let new, .none): "try outline.append(\(code(new)))"
    case .append(let new, .some(let parent)):
      "try outline.append(\(code(new)), to: \(code(parent)))"
    case .insertBefore(let new, let anchor):
      "try outline.insert(\(code(new)), before: \(code(anchor)))"
    case .insertAfter(let new, let anchor):
      "try outline.insert(\(code(new)), after: \(code(anchor)))"
    case .delete(let gone): "outline.delete(\(code(gone)))"
    case .deleteAll: "outline.deleteAll()"
    case .replaceChildren(let parent, let new):
      "try outline.replace(childrenOf: \(code(parent)), using: Outline(\(code(new))))"
    case .moveBefore(let item, let anchor):
      "try outline.move(\(code(item)), before: \(code(anchor)))"
    case .moveAfter(let item, let anchor):
      "try outline.move(\(code(item)), after: \(code(anchor)))"
    case .moveInto(let item, let parent):
      "try outline.move(\(code(item)), into: \(code(parent)))"
    case .expand(let items): "outline.expand(\(code(items)))"
    case .collapse(let items): "outline.collapse(\(code(items)))"
    case .setChildrenUnloaded(let items): "outline.setChildrenUnloaded(of: \(code(items)))"
    case .setChildrenLoaded(let items): "outline.setChildrenUnloaded(of: \(code(items)), false)"
    }
  }
}

extension Array {
  /// The outline after all edits.
  ///
  /// - Throws: The error of the first edit that is refused.
  func applied<ItemID>(to outline: Outline<ItemID>) throws(SnapshotError) -> Outline<ItemID>
  where Element == OutlineEdit<ItemID> {
    var outline = outline
    for edit in self { try edit.apply(to: &outline) }
    return outline
  }

  /// The edits as Swift, each with a semicolon behind it.
  func code<ItemID>() -> String where Element == OutlineEdit<ItemID> {
    map { "\($0); " }.joined()
  }
}
