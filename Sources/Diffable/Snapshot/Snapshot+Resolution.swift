internal import Synchronization

extension Snapshot {
  /// The lookup table that a detached snapshot makes when it is first asked for an identifier,
  /// shared by all its copies until they are edited.
  ///
  /// The only state is an atomic reference that is set once and the number of questions so far, so
  /// questions may come from any task.
  final class Resolution: Sendable {
    private let cache = AtomicLazyReference<Box>()
    private let questions = Atomic(0)
    private let uniqueness = AtomicLazyReference<UniquenessProof>()

    private final class Box: Sendable {
      let snapshot: Snapshot
      init(_ snapshot: Snapshot) { self.snapshot = snapshot }
    }

    /// The table of the source that handed the snapshot out.
    let live: LiveTable?

    init(asking live: LiveTable? = nil) {
      self.live = live
    }

    /// Whether a question may be answered without a table: only a value that is asked often is
    /// worth one.
    var isAskedSeldom: Bool {
      questions.load(ordering: .relaxed) < 16
        && questions.add(1, ordering: .relaxed).oldValue < 16
    }

    /// Whether nobody has asked anything, so that nothing is known that an edit could make wrong.
    var isUntouched: Bool {
      questions.load(ordering: .relaxed) == 0 && cached == nil && proof == nil
    }

    /// The snapshot that this belongs to, with its table, if that has been made.
    var cached: Snapshot? { cache.load()?.snapshot }

    /// The snapshot that this belongs to, with its table, made by a function the first time.
    func resolve(_ make: () -> Snapshot) -> Snapshot {
      (cache.load() ?? cache.storeIfNil(Box(make()))).snapshot
    }

    /// That no identifier appears twice, where a comparison has proved it.
    var proof: UniquenessProof? { uniqueness.load() }

    func remember(_ proof: UniquenessProof) {
      _ = uniqueness.storeIfNil(proof)
    }
  }

  /// This snapshot with its table.
  ///
  /// - Complexity: O(1), or O(n) the first time.
  var resolved: Snapshot {
    guard itemTable == nil, let resolution else { return self }
    return resolution.resolve { withItemTable() }
  }

  /// Makes the table part of this value, so that edits keep it up to date.
  mutating func resolve() {
    guard itemTable == nil else { return }
    let marks = marks
    self = resolved
    self.marks = marks
  }

  /// A snapshot that gives up its table: small enough to keep in a history.
  var detached: Snapshot { detached(asking: nil) }

  /// A snapshot that gives up its table, and asks the table of a live state.
  func detached(asking live: LiveTable?) -> Snapshot {
    var copy = self
    copy.itemTable = nil
    copy.resolution = Resolution(asking: live)
    return copy
  }

  /// Says that the order is about to change: what was resolved belongs to the old one.
  ///
  /// If the table has been made already, it is kept and follows the edit.
  mutating func willEdit() {
    guard itemTable == nil else { return }
    if let cached = resolution?.cached {
      let marks = marks
      self = cached
      self.marks = marks
    } else if resolution?.isUntouched != true || !isKnownUniquelyReferenced(&resolution) {
      resolution = Resolution()
    }
  }

  /// Lets the table follow an edit; see ``ItemTable`` for the rule by which items are suspected.
  ///
  /// - Parameter items: What the edit brought, or more; `nil` where that is not known.
  mutating func follow(
    _ changes: IdentityChanges, bringing items: @autoclosure () -> LeafContent?
  ) {
    guard let met = itemTable?.apply(changes) else { return }
    if !met.isEmpty {
      let items = items() ?? everyItem
      itemTable?.suspect(items, met)
    }
    dropGarbage(moreThan: 64 + 2 * itemCount)
  }

  /// Makes the table again where it has more entries than there can be.
  ///
  /// Only identifiers whose hash changes leave entries behind: what was filed under one hash is looked
  /// for under another.
  mutating func dropGarbage(moreThan limit: Int) {
    guard let count = itemTable?.entries.count, count > limit,
      count > limit + 2 * order.totals.hiddenRows
    else { return }
    let suspects = itemTable?.suspects ?? []
    self = withItemTable()
    itemTable?.suspects += suspects
  }

  /// All items, hidden ones too, with their hashes.
  ///
  /// - Complexity: O(n) for n items.
  var everyItem: LeafContent {
    var content = LeafContent(kernels.items, capacity: itemCount)
    for record in records {
      if let rows = record.outline?.value.rows {
        rows.appendItems(to: &content)
      } else {
        record.items.tree.base.root?.forEachLeaf { content.append($0) }
      }
    }
    return content
  }

  /// Takes the table of another snapshot over, and lets it follow what parts the two.
  ///
  /// - Parameter items: What this one has and the other has not, or more.
  mutating func takeTable(
    of other: inout Snapshot, _ changes: IdentityChanges,
    bringing items: @autoclosure () -> LeafContent?
  ) {
    itemTable = other.itemTable
    // The table has one holder while it is edited, or all of it would be copied.
    other.itemTable = nil
    resolution = nil
    follow(changes, bringing: items())
  }

  /// Hashes what is not hashed yet and files every item in a table.
  ///
  /// - Parameter newcomers: The items of which two must be equal if any are, or `nil` if that is not
  ///   known.
  func withItemTable(
    newcomers: @autoclosure () -> LeafContent? = nil
  ) -> Snapshot {
    var result = self
    result.resolution = nil
    var table = ItemTable<ItemID>(capacity: itemCount)
    var met: Set<UInt32> = []
    for (index, record) in records.enumerated() {
      var record = record
      let tree = record.items.tree
      table.file(tree, section: record.key, &met)
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
