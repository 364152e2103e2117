extension Snapshot {
  /// This snapshot with its table.
  ///
  /// - Complexity: O(1), or O(n) the first time.
  var resolved: Snapshot {
    guard base.itemTable == nil, let resolution = base.resolution else { return self }
    return Snapshot(resolution.resolve { withItemTable().base }, marks: marks)
  }

  /// Makes the table part of this value, so that edits keep it up to date.
  mutating func resolve() {
    if base.itemTable == nil { self = resolved }
  }

  /// A snapshot that gives up its table: small enough to keep in a history.
  var detached: Snapshot { detached(asking: nil) }

  /// A snapshot that gives up its table, and asks the table of a live state.
  func detached(asking live: LiveTable?) -> Snapshot {
    var copy = self
    copy.base.itemTable = nil
    copy.base.resolution = Resolution(asking: live)
    return copy
  }

  /// Says that the order is about to change: what was resolved belongs to the old one.
  mutating func willEdit() { base.willEdit() }

  /// Lets the table follow an edit; see ``ItemTable`` for the rule by which items are suspected.
  ///
  /// - Parameter items: What the edit brought, or more; `nil` where that is not known.
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

  /// Makes the table again where it has more entries than there can be.
  ///
  /// Only identifiers whose hash changes leave entries behind: what was filed under one hash is looked
  /// for under another.
  mutating func dropGarbage(moreThan limit: Int) {
    guard base.hasGarbage(moreThan: limit), let suspects = itemTable?.suspects else { return }
    self = withItemTable()
    itemTable?.suspects.append(suspects)
  }

  /// All items, hidden ones too, with their hashes.
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

  /// Takes the table of another snapshot over, and lets it follow what parts the two.
  ///
  /// - Parameter items: What this one has and the other has not, or more.
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

  /// Hashes what is not hashed yet and files every item in a table.
  ///
  /// - Parameter newcomers: The items of which two must be equal if any are, or `nil` if that is not
  ///   known.
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
    // Of a million items a hundred have the hash of another one by chance. They need not be looked at
    // again when the snapshot is validated later.
    if !result.hasDuplicateItems(whereSuspectsAreComplete: known != nil) {
      result.itemTable?.acquit()
    }
    return result
  }
}
