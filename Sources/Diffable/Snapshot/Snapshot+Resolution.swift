extension Snapshot {
  /// This snapshot with its table.
  ///
  /// - Complexity: O(1), or O(n) the first time.
  package var resolved: Snapshot {
    guard base.itemTable == nil, let resolution = base.resolution else { return self }
    return Snapshot(resolution.resolve { withItemTable().base }, marks: marks)
  }

  /// Makes the table part of this value, so that edits keep it up to date.
  package mutating func resolve() {
    if base.itemTable == nil { self = resolved }
  }

  /// A snapshot without the table: small enough to keep in a history.
  package var detached: Snapshot { Snapshot(base.detached(asking: nil), marks: marks) }

  /// Drops what was resolved before the order changes.
  mutating func willEdit() { base.willEdit() }

  /// Updates the table after an edit; ``ItemTable`` explains which items become suspects.
  ///
  /// - Parameter items: At least the inserted items; `nil` if they are not known.
  mutating func follow(
    _ changes: IdentityChanges, bringing items: @autoclosure () -> HashedElements?
  ) {
    guard let met = base.itemTable?.apply(changes) else { return }
    if !met.isEmpty {
      let items = items() ?? everyItem
      base.itemTable?.suspect(items, met)
    }
    dropGarbage(moreThan: 64 + 2 * itemCount)
  }

  /// Rebuilds the table if it has more entries than are possible.
  ///
  /// This happens only if hashes of identifiers change: then an entry filed under the old hash is
  /// searched under the new one, and stays.
  mutating func dropGarbage(moreThan limit: Int) {
    guard base.hasGarbage(moreThan: limit), let suspects = itemTable?.suspects else { return }
    self = withItemTable()
    itemTable?.suspects.append(suspects)
  }

  /// All items, hidden ones included, with their hashes.
  ///
  /// - Complexity: O(n) for n items.
  var everyItem: HashedElements {
    var elements = HashedElements(kernels.items, capacity: itemCount)
    for record in records {
      if let rows = record.outline?.value.rows {
        rows.appendItems(to: &elements)
      } else {
        record.items.tree.base.root?.forEachLeaf { elements.append($0) }
      }
    }
    return elements
  }

  /// Takes over the table of another snapshot and applies the changes between the two.
  ///
  /// - Parameter items: At least the items that this snapshot has and the other has not.
  mutating func takeTable(
    of other: inout Snapshot, _ changes: IdentityChanges,
    bringing items: @autoclosure () -> HashedElements?
  ) {
    let met = base.takeTable(of: &other.base, changes)
    if !met.isEmpty {
      let items = items() ?? everyItem
      base.itemTable?.suspect(items, met)
    }
    dropGarbage(moreThan: 64 + 2 * itemCount)
  }

  /// Computes missing hashes and files every item in a table.
  ///
  /// - Parameter newcomers: Items that include both of any two equal items; `nil` if not known.
  func withItemTable(
    newcomers: @autoclosure () -> HashedElements? = nil
  ) -> Snapshot {
    var result = self
    result.resolution = nil
    var table = ItemTable(kernels.items, capacity: itemCount)
    var met: Set<UInt32> = []
    for (index, record) in records.enumerated() {
      var record = record
      let tree = record.items.tree
      table.file(tree.base, section: record.key, &met)
      record.outline?.value.forEachHiddenHash { hash in
        table.file([.init(hash: hash, section: record.key, label: .hidden)], &met)
      }
      if case .array = record.items {
        record.items = .tree(tree)
        result.order.replaceElement(at: index, with: record)
      }
    }
    result.itemTable = table
    guard !met.isEmpty else { return result }
    let known = newcomers()
    let items = known ?? result.everyItem
    result.itemTable?.suspect(items, met)
    // Of a million items, about a hundred share a hash with another one by chance. They need not be
    // compared again when the snapshot is validated later.
    if !result.hasDuplicateItems(whereSuspectsAreComplete: known != nil) {
      result.itemTable?.acquit()
    }
    return result
  }
}
