internal import Synchronization

/// The table of items, which is made once and then follows edits.
extension UntypedSnapshot {
  /// Files every item in a table, and makes trees of all sections.
  ///
  /// - Parameter newcomers: Items that include both of any two equal items; `nil` if not known.
  /// - Returns: Whether all possible duplicates are among the newcomers.
  /// - Complexity: O(n) for n items, whose missing hashes are computed.
  @discardableResult
  package mutating func makeTable(
    newcomers: @autoclosure () -> HashedElements? = nil
  ) -> Bool {
    resolution = nil
    var table = ItemTable(kernels.items, capacity: itemCount)
    // The hashes that several items have.
    var met: Set<UInt32> = []
    for index in 0..<order.count {
      let section = body(ofSectionAt: index)
      let tree = section.itemTree
      table.file(tree, section: section.key, &met)
      section.outline?.forEachHiddenHash { hash in
        table.file([.init(hash: hash, section: section.key, label: .hidden)], &met)
      }
      guard section.tree == nil else { continue }
      let body = SectionBody(
        key: section.key, tree: tree, outline: section.outline, model: section.model)
      order.mutateElement(at: index) { kernels.bodies.put(body, inRecordAt: $0) }
    }
    itemTable = table
    return note(met, of: newcomers())
  }

  /// Notes the items with some hashes as possible duplicates.
  ///
  /// - Parameter items: Items that include them; `nil` if not known.
  /// - Returns: Whether the items were known, as far as they were needed.
  @discardableResult
  private mutating func note(
    _ met: Set<UInt32>, of items: @autoclosure () -> HashedElements?
  ) -> Bool {
    guard !met.isEmpty else { return true }
    let known = items()
    let items = known ?? everyItem
    itemTable?.notePossibleDuplicates(items, met)
    return known != nil
  }

  /// Updates the table after an edit; ``ItemTable`` explains which items it notes as possible
  /// duplicates.
  ///
  /// - Parameter items: At least the inserted items; `nil` if they are not known.
  package mutating func follow(
    _ changes: IdentityChanges, bringing items: @autoclosure () -> HashedElements?
  ) {
    guard let met = itemTable?.apply(changes) else { return }
    note(met, of: items())
    dropGarbage(moreThan: 64 + 2 * itemCount)
  }

  /// Takes over the table of another snapshot and applies the changes between the two.
  ///
  /// - Parameter items: At least the items that this snapshot has and the other has not; `nil` if
  ///   they are not known.
  package mutating func takeTable(
    of other: inout UntypedSnapshot, _ changes: IdentityChanges,
    bringing items: @autoclosure () -> HashedElements?
  ) {
    itemTable = other.itemTable
    // The table must have a single holder while it is edited, or it would be copied.
    other.itemTable = nil
    resolution = nil
    follow(changes, bringing: items())
  }

  /// Makes the table again if it has more entries than are possible.
  ///
  /// This happens only if hashes of identifiers change: then an entry filed under the old hash is
  /// searched under the new one, and stays.
  package mutating func dropGarbage(moreThan limit: Int) {
    guard let count = itemTable?.entries.count, count > limit,
      count > limit + 2 * order.totals.hiddenRows, let former = itemTable?.possibleDuplicates
    else { return }
    makeTable()
    itemTable?.possibleDuplicates.append(former)
  }

  /// All items, hidden ones included, with their hashes.
  ///
  /// - Complexity: O(n) for n items.
  var everyItem: HashedElements {
    var elements = HashedElements(kernels.items, capacity: itemCount)
    for index in 0..<order.count {
      withBody(ofSectionAt: index) { section in
        if let outline = section.outline {
          outline.appendItems(to: &elements)
        } else {
          section.itemTree.root?.forEachLeaf { elements.append($0) }
        }
      }
    }
    return elements
  }
}

/// The lookup table of a live state, for use by states of the history.
///
/// A delivered state has no table of its own. Most of its leaves are also leaves of the live state,
/// so an item is most likely where the live table says; the tree of the state confirms it. If the
/// state is the live one, an item that the table does not have is not in the state.
///
/// The source takes the table back while it edits it, so the table is never copied. Lookups in the
/// meantime work without it.
package final class LiveTable: Sendable {
  private struct Published {
    let table: ItemTable
    /// The order of sections that the table belongs to.
    let order: OrderTree
  }

  private let published = Lock<Published?>(nil)

  package init() {}

  /// Makes the table of the live state available.
  package func publish(_ live: UntypedSnapshot) {
    var table = live.itemTable.map { Published(table: $0, order: live.order) }
    // The previous table is released outside the lock.
    published.withLock { swap(&$0, &table) }
  }

  /// Takes the table back; its owner is then the only holder.
  package func withdraw() {
    _ = published.withLock { $0.take() }
  }

  /// The entries of a hash, and whether they are exactly those of an order; `nil` during an edit.
  ///
  /// - Complexity: O(k) for k entries of the hash or of others in its way, expected O(1).
  package func entries(
    hash: UInt32, of order: OrderTree
  ) -> (entries: [IdentityTable.Entry], areExact: Bool)? {
    // No user code runs inside the lock.
    published.withLock { published in
      guard let published else { return nil }
      var entries: [IdentityTable.Entry] = []
      published.table.entries.forEachEntry(hash: hash) { entry in
        entries.append(entry)
        return true
      }
      return (entries, published.order.isIdentical(to: order))
    }
  }
}

/// The lookup table that a detached snapshot makes on demand.
///
/// All its copies share it until they are edited. The only state is an atomic reference that is set
/// once and the number of lookups so far, so lookups may come from any task.
package final class Resolution: Sendable {
  private let cache = AtomicLazyReference<Box>()
  /// The number of lookups, weighted by their cost, and of results that were kept.
  private let uses = Atomic(0)
  private let uniqueness = AtomicLazyReference<ElementHashes>()

  private final class Box: Sendable {
    let snapshot: UntypedSnapshot
    init(_ snapshot: UntypedSnapshot) { self.snapshot = snapshot }
  }

  /// The table of the source that delivered the snapshot.
  package let live: LiveTable?

  init(asking live: LiveTable? = nil) {
    self.live = live
  }

  /// Whether a lookup may be done without a table: only a snapshot with many lookups is worth one.
  package var isAskedSeldom: Bool {
    uses.load(ordering: .relaxed) < 16 && uses.add(1, ordering: .relaxed).oldValue < 16
  }

  /// Whether lookups without the table have cost less than a limit so far.
  package func hasSpentLess(than limit: Int) -> Bool { uses.load(ordering: .relaxed) < limit }

  /// Notes what a lookup without the table has cost.
  package func spend(_ cost: Int) { uses.add(cost, ordering: .relaxed) }

  /// Whether there were no lookups yet, so that no result is kept that an edit could invalidate.
  ///
  /// Only the sole holder of this object may rely on it.
  var isUntouched: Bool { uses.load(ordering: .relaxed) == 0 }

  /// The snapshot that this belongs to, with its table, if it has been made.
  package var cached: UntypedSnapshot? {
    // The number is read first since that is cheaper than reading the reference.
    isUntouched ? nil : cache.load()?.snapshot
  }

  /// The snapshot that this belongs to, with its table; a function makes it the first time.
  package func resolve(_ make: () -> UntypedSnapshot) -> UntypedSnapshot {
    if let known = cache.load() { return known.snapshot }
    uses.add(1, ordering: .relaxed)
    return cache.storeIfNil(Box(make())).snapshot
  }

  /// The proof that no identifier appears twice, if a comparison has found it: all hashes.
  ///
  /// A list that was compared once is neither checked nor hashed again.
  package var proof: ElementHashes? { isUntouched ? nil : uniqueness.load() }

  package func remember(_ proof: ElementHashes) {
    uses.add(1, ordering: .relaxed)
    _ = uniqueness.storeIfNil(proof)
  }
}

/// The stored hashes of the elements of a value, in their order; 0 for one that is not known yet.
///
/// `@unchecked Sendable`: only the comparison that made the object writes hashes, before anything
/// else has access to it. It is shared as the proof that a value has no element twice, which has all
/// hashes; a known hash is never written again.
package final class ElementHashes: @unchecked Sendable {
  package let values: UnsafeMutableBufferPointer<UInt32>

  package init(count: Int) {
    values = .allocate(capacity: count)
    values.initialize(repeating: 0)
  }

  deinit { values.deallocate() }
}
