/// An item that has got another identifier and is the same row.
///
/// See ``Snapshot/replaceItem(_:with:)``.
public struct ItemRename<ItemID: Hashable & Sendable>: Hashable, Sendable {
  /// The identifier before.
  public let old: ItemID
  /// The identifier after.
  public let new: ItemID

  /// Creates the record of a change of identifier.
  ///
  /// - Parameters:
  ///   - old: The identifier before.
  ///   - new: The identifier after.
  public init(old: ItemID, new: ItemID) {
    self.old = old
    self.new = new
  }
}

extension ItemRename: Codable where ItemID: Codable {}

extension ItemRename: CustomStringConvertible {
  /// Both identifiers, as in `a⇝b`.
  public var description: String { "\(old)⇝\(new)" }
}

/// Which items have got other identifiers, all at once: with `a⇝b` and `c⇝a`, what was `c` is `a` now.
///
/// Invariants:
/// 1. No identifier is old twice, and none is new twice.
/// 2. No old identifier equals its new one.
package struct ItemRenames<ItemID: Hashable & Sendable>: Sendable {
  private var newNames = IdentifierMap<ItemID, ItemID>()
  private var oldNames = IdentifierMap<ItemID, ItemID>()

  package init() {}

  package var isEmpty: Bool { newNames.isEmpty }
  package var count: Int { newNames.count }

  /// All of them, in the order in which they were made.
  ///
  /// - Complexity: O(r) for r renamed items.
  package var inOrder: [ItemRename<ItemID>] {
    newNames.elements.map { ItemRename(old: $0.key, new: $0.value) }
  }

  /// What an item is called afterwards; `nil` if that has not changed.
  package func newName(of item: ItemID) -> ItemID? { isEmpty ? nil : newNames[item] }

  /// What an item was called before; `nil` if that has not changed.
  package func oldName(of item: ItemID) -> ItemID? { isEmpty ? nil : oldNames[item] }

  /// What takes all of them back.
  package var inverse: ItemRenames {
    var inverse = ItemRenames()
    (inverse.newNames, inverse.oldNames) = (oldNames, newNames)
    return inverse
  }

  /// Adds what was renamed later: with `a⇝b` here and `b⇝c` there, `a` is `c` in the end.
  ///
  /// - Complexity: O(r) for r later renames.
  package mutating func formUnion(_ later: some Sequence<ItemRename<ItemID>>) {
    let later = Array(later)
    var found: [ItemRename<ItemID>] = []
    for rename in later {
      if let origin = oldNames[rename.old] {
        found.append(ItemRename(old: origin, new: rename.new))
      } else if newNames[rename.old] == nil {
        found.append(rename)
      }
      // Else the name was given away, and the item that bears it since then was not there at first.
    }
    for rename in later {
      forget(rename.old)
      // Whose name this was before has gone: the name was free.
      forget(rename.new)
    }
    for rename in found where rename.old != rename.new {
      newNames[rename.old] = rename.new
      oldNames[rename.new] = rename.old
    }
  }

  /// Forgets that an item has got its name.
  package mutating func forget(_ new: ItemID) {
    guard !isEmpty, let old = oldNames[new] else { return }
    oldNames[new] = nil
    newNames[old] = nil
  }
}
