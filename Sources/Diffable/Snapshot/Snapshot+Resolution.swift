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

  /// A snapshot without any table; see ``UntypedSnapshot/unfiled``.
  var unfiled: Snapshot { Snapshot(base.unfiled) }

  /// Computes missing hashes and files every item in a table.
  ///
  /// - Parameter newcomers: Items that include both of any two equal items; `nil` if not known.
  func withItemTable(
    newcomers: @autoclosure () -> HashedElements? = nil
  ) -> Snapshot {
    var result = self
    var known: HashedElements?
    func ask() -> HashedElements? {
      known = newcomers()
      return known
    }
    // They are gathered at most once, since that takes as long as making the table.
    result.base.makeTable(newcomers: ask())
    guard result.itemTable?.possibleDuplicates.isEmpty == false else { return result }
    // Of a million items, about a hundred share a hash with another one by chance. They need not be
    // compared again when the snapshot is validated later.
    if !result.hasDuplicateItems(whereAllPossibleAreKnown: known != nil) {
      result.itemTable?.forgetPossibleDuplicates()
    }
    return result
  }
}

extension Snapshot {
  /// The first path of each of some items, in no particular order; unknown items are left out.
  ///
  /// - Complexity: O(m log n) for m of n items if a table has them; otherwise O(n + m), with one
  ///   look at each stored hash.
  func firstPaths(ofItems items: [ItemID]) -> [ItemPath] {
    guard !items.isEmpty else { return [] }
    var found: [ItemPath] = []
    var rest: [ItemID] = []
    for item in items {
      if let places = placesByLiveTable(ofItem: item) {
        if let path = places.visible.first { found.append(path) }
      } else {
        rest.append(item)
      }
    }
    guard !rest.isEmpty else { return found }
    if let places = scan(for: rest) { return found + places.compactMap { $0.first } }
    return found + rest.compactMap(itemPath(for:))
  }

  /// The paths of some items, each in ascending order, found without a table.
  ///
  /// To look at a stored hash costs a fraction of filing it in a table, so a scan is faster for a
  /// few lookups.
  ///
  /// - Returns: By item; `nil` if there is a table, which is faster, or hashes are not stored yet.
  /// - Complexity: O(n + m) for n items and m that are looked for.
  func scan(for items: [ItemID]) -> [[ItemPath]]? {
    guard itemTable == nil, resolution?.cached == nil, items.count * 16 <= itemCount else {
      return nil
    }
    let hashes = items.map { $0.storedHash }
    let filter = HashFilter(hashes)
    let sought = Dictionary(grouping: items.indices) { hashes[$0] }
    var places = [[ItemPath]](repeating: [], count: items.count)
    for (section, record) in records.enumerated() {
      guard case .tree(let tree) = record.items else { return nil }
      var base = 0
      tree.base.root?.forEachLeaf { leaf in
        let span = leaf.span
        withExtendedLifetime(leaf) {
          filter.forEachCandidate(in: span.hashBuffer) { offset in
            let address = span.address(offset).assumingMemoryBound(to: ItemID.self)
            for item in sought[span.hashes[offset]] ?? [] where address.pointee == items[item] {
              places[item].append(ItemPath(section: section, item: base + offset))
            }
          }
        }
        base += leaf.count
      }
    }
    return places
  }
}
