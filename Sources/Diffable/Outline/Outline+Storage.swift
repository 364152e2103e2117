extension Outline {
  /// The section of all entries in the table: an outline has no sections.
  static var key: SectionKey { SectionKey(rawValue: 0) }

  // MARK: Finding

  /// The position of an item among all rows, or `nil` for an unknown item.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  package func position(of item: ItemID) -> Int? {
    position(of: item, hash: item.storedHash)
  }

  func position(of item: ItemID, hash: UInt32) -> Int? {
    withUnsafePointer(to: item) { rows.base.firstPosition(of: $0, hash: hash, in: table) }
  }

  /// The items with a hash.
  func items(hash: UInt32) -> [ItemID] {
    var labels: [LeafLabel] = []
    table.forEachEntry(hash: hash) { entry in
      if !labels.contains(entry.label) { labels.append(entry.label) }
      return true
    }
    return labels.compactMap(rows.leaf(labelled:)).flatMap { leaf in
      leaf.elements(hash: hash).map { $0.id }
    }
  }

  func position(ofKnown item: ItemID) throws(SnapshotError) -> Int {
    guard let position = position(of: item) else { throw .unknownItem([AnyItemID(item)]) }
    return position
  }

  /// The position after a row and all its descendants.
  ///
  /// - Complexity: O(log n) for n items.
  package func endOfSubtree(at position: Int) -> Int {
    self.position(notBelow: rows[position].level, from: position + 1)
  }

  /// The first position, from a given one on, at a level or above it; or the end.
  package func position(notBelow level: Int32, from start: Int) -> Int {
    rows.firstPosition(
      from: start, inSubtrees: { $0.lowestLevel <= level }, where: { $0.level <= level })
      ?? rows.count
  }

  /// The position of the parent of a row; `nil` for a row without a parent.
  ///
  /// - Complexity: O(log n) for n items.
  package func parentPosition(ofRowAt position: Int) -> Int? {
    let level = rows[position].level
    return rows.lastPosition(
      before: position, inSubtrees: { $0.lowestLevel < level }, where: { $0.level < level })
  }

  package func hasChildren(at position: Int) -> Bool {
    position + 1 < rows.count && rows[position + 1].level > rows[position].level
  }

  // MARK: Walking

  /// Calls a function with the rows at some positions.
  ///
  /// - Complexity: O(k + log n) for k rows.
  package func forEachRow(in range: Range<Int>, _ body: (Row) -> Void) {
    var position = range.lowerBound
    while position < range.upperBound, let place = rows.leaf(atPosition: position) {
      let end = min(place.leaf.count, range.upperBound - place.base)
      for row in place.leaf[position - place.base..<end] { body(row) }
      position = place.base + end
    }
  }

  // MARK: Editing

  /// Lets the table follow an edit of the rows.
  mutating func file(_ delta: LeafDelta) {
    var changes = IdentityChanges()
    changes.append(delta, section: Self.key)
    for entry in changes.removed { table.remove(entry) }
    for entry in changes.inserted { table.insert(entry) }
  }

  /// Changes the flags of rows at some positions, given in ascending order.
  ///
  /// - Complexity: O(k · (leaf + log n)) for the k leaves that hold them.
  mutating func changeRows(at positions: [Int], _ change: (inout Row) -> Void) {
    if positions.count == 1 {
      var row = rows[positions[0]]
      change(&row)
      return rows.replaceElement(at: positions[0], with: row)
    }
    var delta = LeafDelta()
    var index = 0
    while index < positions.count, let place = rows.leaf(atPosition: positions[index]) {
      var elements = ContiguousArray(place.leaf)
      while index < positions.count, positions[index] - place.base < elements.count {
        change(&elements[positions[index] - place.base])
        index += 1
      }
      delta.removed.append(place.leaf.base)
      delta.added.append(place.leaf.base.replacingElements(with: elements))
    }
    file(rows.base.replaceLeaves(delta))
  }

  /// Rows for items that are siblings.
  static func newRows(_ items: [ItemID], level: Int32) -> ContiguousArray<Row> {
    ContiguousArray(items.lazy.map { Row(id: $0, level: level) })
  }

  /// Copies of the rows at some positions, with their levels increased.
  package func copiedRows(_ range: Range<Int>, deeper shift: Int32) -> ContiguousArray<Row> {
    var copies: ContiguousArray<Row> = []
    copies.reserveCapacity(range.count)
    forEachRow(in: range) { row in
      var row = row
      row.level += shift
      copies.append(row)
    }
    return copies
  }

  /// Checks that inserted rows are unique.
  ///
  /// - Parameters:
  ///   - new: The inserted rows.
  ///   - target: The positions of the rows that they replace.
  func checkUnique(
    _ new: ContiguousArray<Row>, replacing target: Range<Int>
  ) throws(SnapshotError) {
    var places = IdentifierMap<ItemID, [Int]>()
    var hasDuplicates = false
    for (offset, row) in new.enumerated() {
      if let old = position(of: row.id), !target.contains(old) {
        let shift = old < target.upperBound ? 0 : new.count - target.count
        places.change(row.id, default: [old + shift]) { $0.append(target.lowerBound + offset) }
        hasDuplicates = true
      } else if new.count > 1 {
        places.change(row.id, default: []) {
          $0.append(target.lowerBound + offset)
          if $0.count > 1 { hasDuplicates = true }
        }
      }
    }
    guard hasDuplicates else { return }
    throw .duplicateItems(
      places.elements.filter { $0.value.count > 1 }
        .sortedIfNeeded { $0.value.min() ?? 0 }
        .map { item, places in
          .init(
            identifier: AnyItemID(item),
            places: places.sortedIfNeeded(by: { $0 }).map { ItemPath(section: 0, item: $0) })
        })
  }
}

extension Outline {
  /// Checks the numbered invariants of the type, if ``checksInvariants``.
  package func _checkInvariants() {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    var previous: Int32 = -1
    var seen: Set<ItemID> = []
    forEachRow(in: 0..<rows.count) { row in
      precondition(row.level >= 0 && row.level <= previous + 1, "1: levels")
      precondition(seen.insert(row.id).inserted, "2: an item appears twice")
      previous = row.level
    }
    forEachRow { row, _, isHidden in
      precondition(row.isVisible != isHidden, "3: visibility")
    }
    precondition(table.count == rows.count, "2: entries of rows")
    for (place, item) in items.enumerated() {
      precondition(position(of: item) == place, "2: row is filed")
    }
    #endif
  }
}

extension Outline {
  /// Calls a function with the position of each row whose model an older outline has differently.
  ///
  /// Rows that the older outline does not have are included.
  ///
  /// - Complexity: O(d · log n) for d leaves of rows that differ.
  func forEachRow(
    since old: Outline, _ models: ElementKernel, _ body: (_ position: Int, _ isNew: Bool) -> Void
  ) {
    let rows = rows.base
    LeafWindows.forEach(old: old.rows.base, new: rows) { stretch in
      guard case .changed(let window) = stretch else { return }
      let oldLeaves = window.old.compactMap(\.leaf)
      var neighbours = Neighbours(oldLeaves)
      var position = window.newBase
      for leaf in window.new.lazy.compactMap(\.leaf) {
        let span = leaf.span
        withExtendedLifetime(leaf) {
          for index in 0..<span.count {
            defer { position += 1 }
            let (row, hash) = (span.address(index), span.hashes[index])
            guard let new = leaf.models?.address(index) else { continue }
            if let before = neighbours.model(of: row, hash: hash) {
              if !models.areEqual(before, new) { body(position, false) }
            } else if let origin = old.rows.base.firstPosition(of: row, hash: hash, in: old.table) {
              let isSame = old.rows.base.withModel(at: origin) {
                $0.map { models.areEqual($0.first, new) } ?? false
              }
              if !isSame { body(position, false) }
            } else {
              body(position, true)
            }
          }
        }
      }
    }
  }
}
