/// An item that received another identifier and is still the same row.
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

/// Items that received other identifiers, all at once: with `a⇝b` and `c⇝a`, what was `c` is `a`
/// now.
///
/// Invariants:
/// 1. No identifier is the old one of two renames, or the new one of two renames.
/// 2. No old identifier equals its new one.
package struct ItemRenames<ItemID: Hashable & Sendable>: Sendable {
  private var newNames = IdentifierMap<ItemID, ItemID>()
  private var oldNames = IdentifierMap<ItemID, ItemID>()

  package init() {}

  package var isEmpty: Bool { newNames.isEmpty }
  package var count: Int { newNames.count }

  /// The renames, in the order in which they were made.
  ///
  /// - Complexity: O(r) for r renamed items.
  package var inOrder: [ItemRename<ItemID>] {
    newNames.elements.map { ItemRename(old: $0.key, new: $0.value) }
  }

  /// The name of an item afterwards; `nil` if it has not changed.
  package func newName(of item: ItemID) -> ItemID? { isEmpty ? nil : newNames[item] }

  /// The name of an item before; `nil` if it has not changed.
  package func oldName(of item: ItemID) -> ItemID? { isEmpty ? nil : oldNames[item] }

  /// The renames that revert these.
  package var inverse: ItemRenames {
    var inverse = ItemRenames()
    (inverse.newNames, inverse.oldNames) = (oldNames, newNames)
    return inverse
  }

  /// Adds later renames: with `a⇝b` here and `b⇝c` there, `a` becomes `c`.
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
      // Otherwise the name was given away, and the item that has it since then was not there at
      // first.
    }
    for rename in later {
      forget(rename.old)
      // The item that had this name before is gone: the name was free.
      forget(rename.new)
    }
    for rename in found where rename.old != rename.new {
      newNames[rename.old] = rename.new
      oldNames[rename.new] = rename.old
    }
  }

  /// Removes the rename to a name.
  package mutating func forget(_ new: ItemID) {
    guard !isEmpty, let old = oldNames[new] else { return }
    oldNames[new] = nil
    newNames[old] = nil
  }
}
