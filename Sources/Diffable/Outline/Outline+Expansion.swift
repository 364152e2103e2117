extension Outline {
  /// Expands items: their children are visible if they are visible themselves.
  ///
  /// Unknown items are ignored. An item without children is expanded too, so that children that are
  /// added later are visible.
  ///
  /// - Complexity: O((m + k) · log n) for m of n items, given a good hash, and k items that become
  ///   visible.
  public mutating func expand(_ items: some Sequence<ItemID> & SendableMetatype) {
    setExpanded(true, items)
  }

  /// Collapses items: their descendants are hidden and keep their own flags.
  ///
  /// Unknown items are ignored.
  ///
  /// - Complexity: O((m + k) · log n) for m of n items, given a good hash, and k items that are no
  ///   longer visible.
  public mutating func collapse(_ items: some Sequence<ItemID> & SendableMetatype) {
    setExpanded(false, items)
  }

  package mutating func setExpanded(
    _ isExpanded: Bool, _ items: some Sequence<ItemID> & SendableMetatype
  ) {
    let positions = positions(of: items) { $0.isExpanded != isExpanded }
    changeExpansion(at: positions) { $0.isExpanded = isExpanded }
  }

  /// The positions of those items whose rows satisfy a condition, ascending, each once.
  func positions(
    of items: some Sequence<ItemID> & SendableMetatype, where isWanted: (Row) -> Bool
  ) -> [Int] {
    var positions: [Int] = []
    for position in items.compactMap(position(of:)).sortedIfNeeded(by: { $0 })
    where position != positions.last && isWanted(rows[position]) {
      positions.append(position)
    }
    return positions
  }

  /// Copies the flags of another outline for the items that both have.
  ///
  /// - Complexity: O(n · log n) for n items.
  mutating func takeExpansion(from other: Outline) {
    var positions: [Int] = []
    var position = 0
    forEachRow(in: 0..<count) { row in
      if let old = other.position(of: row.id), other.rows[old].isExpanded != row.isExpanded {
        positions.append(position)
      }
      position += 1
    }
    changeExpansion(at: positions) { $0.isExpanded.toggle() }
  }
}

/// Children that are not loaded until they are needed.
extension Outline {
  /// Sets whether items have children that are not loaded yet.
  ///
  /// Such an item can be expanded although it has no children here. In a source with a children
  /// provider, expanding it calls the provider. Unknown items are ignored. The flag belongs to the
  /// item: it moves and is deleted with it.
  ///
  /// - Complexity: O(m · log n) for m of n items, given a good hash.
  public mutating func setChildrenUnloaded(
    of items: some Sequence<ItemID> & SendableMetatype, _ areUnloaded: Bool = true
  ) {
    let positions = positions(of: items) { $0.hasUnloadedChildren != areUnloaded }
    changeRows(at: positions) { $0.hasUnloadedChildren = areUnloaded }
    _checkInvariants()
  }

  /// The items that are expanded but whose children are not loaded, in order.
  ///
  /// - Complexity: O(m · log n) for m of n items.
  public var loadingItems: [ItemID] {
    rows.positions(in: 0..<count, inSubtrees: { $0.isLoading }, where: { $0.isLoading })
      .map { rows[$0].id }
  }

  /// Returns whether an item has children that are not loaded yet.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func hasUnloadedChildren(_ item: ItemID) -> Bool {
    position(of: item).map { rows[$0].hasUnloadedChildren } ?? false
  }
}

extension Outline {
  /// Calls a function with the hash of each item that a collapsed row hides.
  ///
  /// - Complexity: O(h · log n) for h hidden ones of n items, O(n) at most.
  func forEachHiddenHash(_ body: (UInt32) -> Void) {
    forEachItem(in: 0..<count, visible: false) { _, hash in body(hash) }
  }

  /// Calls a function with each row, and the number of visible rows before it.
  ///
  /// - Complexity: O(n) for n items.
  func forEachRow(_ body: (Row, _ visibleBefore: Int, _ isHidden: Bool) -> Void) {
    var collapsed = Int32.max
    var visible = 0
    forEachRow(in: 0..<count) { row in
      let isHidden = row.level > collapsed
      body(row, visible, isHidden)
      guard !isHidden else { return }
      visible += 1
      collapsed = row.isExpanded ? .max : row.level
    }
  }

  // MARK: Marks on rows

  /// The number of visible rows before a position: the index of a visible row in its section.
  ///
  /// - Complexity: O(log n) for n items.
  package func visibleCount(before position: Int) -> Int {
    rows.totals(before: position).items
  }

  /// The indices in the section of those adjacent rows that are visible.
  func visibleRange(of range: Range<Int>) -> Range<Int> {
    visibleCount(before: range.lowerBound)..<visibleCount(before: range.upperBound)
  }

  /// The index of a row among the visible ones, or `nil` if it is hidden.
  package func visibleIndex(ofRowAt position: Int) -> Int? {
    rows[position].isVisible ? visibleCount(before: position) : nil
  }

  /// The position of the row that has an index among the visible ones.
  ///
  /// - Complexity: O(log n) for n items.
  package func position(ofVisibleRow index: Int) -> Int? {
    guard index >= 0, index < rows.totals.items else { return nil }
    // The number of visible rows between the search and the row.
    var rest = index
    return rows.firstPosition(from: 0) { totals in
      guard totals.items <= rest else { return true }
      rest -= totals.items
      return false
    } where: { row in
      guard row.isVisible else { return false }
      rest -= 1
      return rest < 0
    }
  }

  /// The items of some rows, with their hashes.
  ///
  /// - Complexity: O(k · log n) for k such rows of n: the rows that are hidden are skipped.
  func items(in range: Range<Int>, visibleOnly: Bool) -> HashedElements {
    var elements = HashedElements(kernel)
    forEachItem(in: range, visible: visibleOnly ? true : nil) { elements.append($0, hash: $1) }
    return elements
  }

  /// All items, or those that are visible.
  func array(visibleOnly: Bool) -> [ItemID] {
    let count = visibleOnly ? rows.totals.items : rows.count
    // The storage that all empty arrays share must not be initialised.
    guard count > 0 else { return [] }
    return Array(unsafeUninitializedCapacity: count) { buffer, filled in
      guard let target = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      forEachItem(in: 0..<rows.count, visible: visibleOnly ? true : nil) { item, _ in
        guard filled < count else { return }
        kernel.copy(item, to: target + filled &* kernel.stride, count: 1)
        filled += 1
      }
    }
  }

  /// Calls a function with the item of each row in a range.
  ///
  /// - Parameter isWanted: Whether only visible rows count, or only hidden ones; `nil` if all do.
  private func forEachItem(
    in range: Range<Int>, visible isWanted: Bool?,
    _ body: (_ item: UnsafeRawPointer, _ hash: UInt32) -> Void
  ) {
    let place = Row.flagsOffset
    func mayContain(_ rows: OrderNode) -> Bool {
      isWanted.map { rows.totals.items != ($0 ? 0 : rows.count) } ?? true
    }
    rows.base.forEachLeaf(in: range, inSubtrees: mayContain) { leaf, base in
      let (span, places) = (leaf.span, range.clamped(to: base..<base + leaf.count))
      withExtendedLifetime(leaf) {
        for offset in places.lowerBound - base..<places.upperBound - base {
          let row = span.address(offset)
          let isVisible = (row + place).load(as: RowFlags.self).isVisible
          guard isVisible == isWanted ?? isVisible else { continue }
          // An identifier is the first property of its row.
          body(row, span.hashes[offset])
        }
      }
    }
  }
}
