/// An item that received another identifier and is still the same row.
///
/// See ``Snapshot/renameItem(_:to:)``.
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
  package init(old: ItemID, new: ItemID) {
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
  /// `nil` if nothing was renamed: mostly nothing was, and an empty value has to cost nothing.
  private var names: CopyOnWrite<Names>?

  private struct Names: Sendable {
    var new = IdentifierMap<ItemID, ItemID>()
    var old = IdentifierMap<ItemID, ItemID>()
    /// By new name: the last names that an item had in between, if any.
    var passed = IdentifierMap<ItemID, [ItemID]>()
    /// As many of them are kept: an item may get another name with each change of its model.
    private static var passedLimit: Int { 64 }

    mutating func set(_ rename: ItemRename<ItemID>, passing passed: [ItemID] = []) {
      guard rename.old != rename.new else { return }
      new[rename.old] = rename.new
      old[rename.new] = rename.old
      if !passed.isEmpty { self.passed[rename.new] = Array(passed.suffix(Self.passedLimit)) }
    }

    mutating func forget(_ name: ItemID) {
      guard let former = old[name] else { return }
      old[name] = nil
      new[former] = nil
      if !passed.isEmpty { passed[name] = nil }
    }
  }

  package init() {}

  /// Lets a function change the names.
  private mutating func edit(_ body: (inout Names) -> Void) {
    var edited = names?.value ?? Names()
    // The names must have a single holder, so that nothing is copied.
    names = nil
    body(&edited)
    if !edited.new.isEmpty { names = CopyOnWrite(edited) }
  }

  package var isEmpty: Bool { names == nil }
  var count: Int { names?.value.new.count ?? 0 }

  /// The renames, in the order in which they were made.
  ///
  /// - Complexity: O(r) for r renamed items.
  package var inOrder: [ItemRename<ItemID>] {
    names?.value.new.elements.map { ItemRename(old: $0.key, new: $0.value) } ?? []
  }

  /// The name of an item afterwards; `nil` if it has not changed.
  package func newName(of item: ItemID) -> ItemID? { names?.value.new[item] }

  /// The name of an item before; `nil` if it has not changed.
  package func oldName(of item: ItemID) -> ItemID? { names?.value.old[item] }

  /// The renames that revert these.
  package var inverse: ItemRenames {
    guard let names = names?.value else { return self }
    var inverse = ItemRenames()
    inverse.edit { ($0.new, $0.old) = (names.old, names.new) }
    return inverse
  }

  /// The renames as seen from a later state, in which items may have one of their names in between.
  ///
  /// A rename of an item that is not in that state, or to a name that is, is left out. Of an item with very many
  /// names in between only the last ones are known.
  ///
  /// - Complexity: O(r) calls for r renames and names in between.
  package func from(stateWhere contains: (ItemID) -> Bool) -> ItemRenames {
    guard let names = names?.value else { return self }
    var renames = ItemRenames()
    renames.edit { renames in
      for rename in inOrder where !contains(rename.new) {
        // A name in between may be that of another item, which gets another name itself.
        let passed = names.passed[rename.new]?.last { name in
          contains(name) && names.new[name].map(contains) ?? true
        }
        guard let name = contains(rename.old) ? rename.old : passed else { continue }
        // Two items may have had the name in between, one after the other: the last one counts.
        renames.new[name].map { renames.forget($0) }
        renames.set(ItemRename(old: name, new: rename.new))
      }
    }
    return renames
  }

  /// The renames to names that a later state has, in place of the old names.
  ///
  /// - Complexity: O(r) calls for r renames.
  package func to(stateWhere contains: (ItemID) -> Bool) -> ItemRenames {
    guard !isEmpty else { return self }
    var renames = self
    renames.edit { renames in
      for rename in inOrder where !contains(rename.new) || contains(rename.old) {
        renames.forget(rename.new)
      }
    }
    return renames
  }

  /// Adds later renames: with `a⇝b` here and `b⇝c` there, `a` becomes `c`.
  ///
  /// - Complexity: O(r) for r later renames.
  package mutating func formUnion(_ later: some Collection<ItemRename<ItemID>>) {
    formUnion(later) { _ in [] }
  }

  /// The same, with the names in between that the later ones have passed.
  ///
  /// - Complexity: O(r) for r later renames and names in between.
  package mutating func formUnion(_ later: ItemRenames) {
    guard let names = later.names?.value else { return }
    formUnion(later.inOrder) { names.passed[$0] ?? [] }
  }

  /// - Parameter passed: The names in between of an item, by the name that it gets.
  private mutating func formUnion(
    _ later: some Collection<ItemRename<ItemID>>, passing passed: (ItemID) -> [ItemID]
  ) {
    guard !later.isEmpty else { return }
    edit { names in
      var found: [(rename: ItemRename<ItemID>, passed: [ItemID])] = []
      for rename in later {
        if let origin = names.old[rename.old] {
          found.append(
            (
              ItemRename(old: origin, new: rename.new),
              (names.passed[rename.old] ?? []) + [rename.old] + passed(rename.new)
            ))
        } else if names.new[rename.old] == nil {
          found.append((rename, passed(rename.new)))
        }
        // Otherwise the name was given away, and the item that has it since then was not there at
        // first.
      }
      for rename in later {
        names.forget(rename.old)
        // The item that had this name before is gone: the name was free.
        names.forget(rename.new)
      }
      for (rename, passed) in found { names.set(rename, passing: passed) }
    }
  }

  /// Lets other renames of the same items take the place of these.
  ///
  /// The others start from the names before these or, where only these have given a name, from that
  /// or from a name in between.
  ///
  /// - Complexity: O(r) for r renames and names in between.
  mutating func takeOver(by newer: ItemRenames) {
    guard !newer.isEmpty else { return }
    edit { names in
      var origins = names.old
      for (new, passed) in names.passed.elements {
        for name in passed where origins[name] == nil { origins[name] = names.old[new] }
      }
      let found = newer.inOrder.map { rename -> (rename: ItemRename<ItemID>, passed: [ItemID]) in
        // With `a⇝b` here and `b⇝c` there, `a` becomes `c`, unless `a` gets another name there.
        guard let origin = origins[rename.old], newer.newName(of: origin) == nil else {
          return (rename, [])
        }
        let former = names.new[origin].map { (names.passed[$0] ?? []) + [$0] } ?? []
        return (ItemRename(old: origin, new: rename.new), former.filter { $0 != rename.new })
      }
      // Two may start from names of one item: the last one counts.
      for (rename, passed) in found {
        if let former = names.new[rename.old] { names.forget(former) }
        names.forget(rename.new)
        names.set(rename, passing: passed)
      }
    }
  }

  /// Removes the renames of some names.
  mutating func forget(oldNames names: [ItemID]) {
    for name in names { newName(of: name).map { forget($0) } }
  }

  /// Removes the rename to a name.
  mutating func forget(_ new: ItemID) {
    guard !isEmpty else { return }
    edit { $0.forget(new) }
  }
}
