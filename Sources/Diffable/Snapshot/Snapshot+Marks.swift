extension Snapshot {
  /// The marks on elements that stay, the items that received other identifiers, and the rows that the
  /// writer has placed.
  ///
  /// Reloads replace a view, reconfigures update it in place.
  ///
  /// Most snapshots have no marks and are copied often, so all marks are stored in two references.
  ///
  /// Invariant: nothing is marked both for a reload and for a reconfigure.
  package struct Marks: Sendable {
    /// `nil` if nothing is marked.
    private var lists: CopyOnWrite<Lists>?
    /// The rows that the writer has placed.
    package var placed = PlacedRows<SectionID, ItemID>()

    // This and `Pair` are not private: built for libFuzzer, Swift 6.3 stops over the metadata of private types here.
    struct Lists: Sendable {
      var sections = Pair<SectionID>()
      var items = Pair<ItemID>()
      var renames = ItemRenames<ItemID>()

      var count: Int { sections.count + items.count + renames.count }
      var isEmpty: Bool { count == 0 }

      /// So that lists in a box are changed where they are.
      mutating func edit(_ body: (inout Lists) -> Void) { body(&self) }
    }

    struct Pair<ID: Hashable & Sendable>: Sendable {
      var reloaded = IdentifierSet<ID>()
      var reconfigured = IdentifierSet<ID>()

      var isEmpty: Bool { reloaded.isEmpty && reconfigured.isEmpty }
      var count: Int { reloaded.count + reconfigured.count }

      mutating func reload(_ ids: some Sequence<ID>) {
        for id in ids {
          reloaded.insert(id)
          reconfigured.remove(id)
        }
      }

      mutating func reconfigure(_ ids: some Sequence<ID>) {
        for id in ids where !reloaded.contains(id) { reconfigured.insert(id) }
      }

      mutating func forget(_ id: ID) {
        reloaded.remove(id)
        reconfigured.remove(id)
      }

      /// Adds the marks of new names to old names.
      mutating func alias(_ renames: some Sequence<ItemRename<ID>>) {
        guard !isEmpty else { return }
        for rename in renames {
          if reloaded.contains(rename.new) {
            reload(CollectionOfOne(rename.old))
          } else if reconfigured.contains(rename.new) {
            reconfigure(CollectionOfOne(rename.old))
          }
        }
      }

      /// Moves marks from old names to new names.
      mutating func rename(_ renames: some Sequence<ItemRename<ID>>) {
        guard !isEmpty else { return }
        var moved = Pair()
        for rename in renames {
          if reloaded.contains(rename.old) {
            moved.reload(CollectionOfOne(rename.new))
          } else if reconfigured.contains(rename.old) {
            moved.reconfigure(CollectionOfOne(rename.new))
          }
          forget(rename.old)
        }
        formUnion(moved)
      }

      mutating func formUnion(_ later: Pair) {
        reload(later.reloaded.inOrder)
        reconfigure(later.reconfigured.inOrder)
      }
    }

    package init() {}

    /// What was placed, and nothing else.
    package init(placing placed: PlacedRows<SectionID, ItemID>) { self.placed = placed }

    package var isEmpty: Bool { lists == nil && placed.isEmpty }

    /// The number of marks and renames; placed rows are neither.
    ///
    /// - Complexity: O(1).
    var count: Int { lists?.value.count ?? 0 }

    package var reloadedSections: IdentifierSet<SectionID> {
      lists?.value.sections.reloaded ?? IdentifierSet()
    }
    var reconfiguredSections: IdentifierSet<SectionID> {
      lists?.value.sections.reconfigured ?? IdentifierSet()
    }
    var reloadedItems: IdentifierSet<ItemID> {
      lists?.value.items.reloaded ?? IdentifierSet()
    }
    var reconfiguredItems: IdentifierSet<ItemID> {
      lists?.value.items.reconfigured ?? IdentifierSet()
    }

    /// The items that received other identifiers.
    package var renames: ItemRenames<ItemID> { lists?.value.renames ?? ItemRenames() }

    /// What says which row is which, and who has placed it: renames and placed rows.
    package var rowNotes: Marks {
      var notes = onlyRenames
      notes.placed = placed
      return notes
    }

    /// The number of renames, or of placed rows if there are more.
    package var rowNoteCount: Int { max(renames.count, placed.count) }

    /// Forgets what was renamed and placed of rows and sections that some state does not have.
    ///
    /// - Parameter isItem: Whether it has an item, by the name before the renames.
    /// - Complexity: O(r) calls for r renames and placed rows.
    package mutating func keepRowNotes(
      ofSections isSection: (SectionID) -> Bool, items isItem: (ItemID) -> Bool
    ) {
      let renames = renames
      placed.keep(sections: isSection) { isItem(renames.oldName(of: $0) ?? $0) }
      forgetRenames { !isItem($0.old) }
    }

    /// Whether there are renames or placed rows.
    var hasRowNotes: Bool { hasPlaced || hasRenames }

    /// Whether there are renames; mostly there are none, and making an empty value takes longer than this.
    var hasRenames: Bool { lists?.read { $0.pointee.renames.isEmpty } == false }

    /// Whether the writer has placed anything.
    var hasPlaced: Bool { !placed.isEmpty }

    /// Lets a function change the marks, if there are any.
    private mutating func editIfThere(_ body: (inout Lists) -> Void) {
      if lists != nil { edit(body) }
    }

    /// Lets a function change the marks.
    private mutating func edit(_ body: (inout Lists) -> Void) {
      if lists == nil { lists = CopyOnWrite(Lists()) }
      lists?.value.edit(body)
      if lists?.read({ $0.pointee.isEmpty }) == true { lists = nil }
    }

    /// The marks in a list of other sections, with the same items or some of them.
    ///
    /// - Complexity: O(m) calls for m marks.
    package func translated<Other: Hashable & Sendable>(
      _ section: (SectionID) -> Other?, items isItem: ((ItemID) -> Bool)? = nil
    ) -> Snapshot<Other, ItemID>.Marks {
      var marks = Snapshot<Other, ItemID>.Marks()
      marks.placed = placed.translated(section)
      guard let lists = lists?.value else { return marks }
      func kept(_ items: IdentifierSet<ItemID>) -> [ItemID] {
        guard let isItem else { return items.inOrder }
        return items.inOrder.filter(isItem)
      }
      marks.edit {
        $0.items.reload(kept(lists.items.reloaded))
        $0.items.reconfigure(kept(lists.items.reconfigured))
        $0.sections.reload(lists.sections.reloaded.inOrder.compactMap(section))
        $0.sections.reconfigure(lists.sections.reconfigured.inOrder.compactMap(section))
        $0.renames = lists.renames
      }
      return marks
    }

    package mutating func reload(sections: some Sequence<SectionID>) {
      edit { $0.sections.reload(sections) }
    }

    package mutating func reconfigure(sections: some Sequence<SectionID>) {
      edit { $0.sections.reconfigure(sections) }
    }

    package mutating func reload(items: some Sequence<ItemID>) {
      edit { $0.items.reload(items) }
    }

    package mutating func reconfigure(items: some Sequence<ItemID>) {
      edit { $0.items.reconfigure(items) }
    }

    /// Forgets what was said of items that are deleted together.
    ///
    /// - Complexity: O(m) for m items; O(m + p) if one of p placed ones is among them.
    mutating func forget(items: [ItemID]) {
      guard !isEmpty else { return }
      placed.remove(items: items)
      editIfThere {
        for item in items {
          $0.items.forget(item)
          $0.renames.forget(item)
        }
      }
    }

    mutating func forget(sections: [SectionID]) {
      guard !isEmpty else { return }
      placed.remove(sections: sections)
      editIfThere { for section in sections { $0.sections.forget(section) } }
    }

    /// Records items that received other identifiers; their marks follow.
    package mutating func rename(_ later: some Collection<ItemRename<ItemID>>) {
      rename(later) { $0.formUnion(later) }
    }

    /// - Parameter record: Adds the renames to those that are recorded.
    private mutating func rename(
      _ later: some Collection<ItemRename<ItemID>>, _ record: (inout ItemRenames<ItemID>) -> Void
    ) {
      guard !later.isEmpty else { return }
      placed.rename(later)
      edit {
        $0.items.rename(later)
        record(&$0.renames)
      }
    }

    /// Moves marks to the new names of items that another writer renamed.
    mutating func follow(_ renames: [ItemRename<ItemID>]) {
      guard !isEmpty else { return }
      placed.rename(renames)
      editIfThere { $0.items.rename(renames) }
    }

    /// Removes the records of renames.
    package mutating func forgetRenames() {
      editIfThere { $0.renames = ItemRenames() }
    }

    /// Removes the record of the rename to a name, if there is one.
    mutating func forgetRename(to name: ItemID) {
      editIfThere { $0.renames.forget(name) }
    }

    /// Removes the records of some renames.
    ///
    /// - Complexity: O(r) for r renames.
    mutating func forgetRenames(where isForgotten: (ItemRename<ItemID>) -> Bool) {
      let forgotten = renames.inOrder.filter(isForgotten)
      guard !forgotten.isEmpty else { return }
      edit { lists in
        for rename in forgotten { lists.renames.forget(rename.new) }
      }
    }

    /// The renames without any marks.
    var onlyRenames: Marks {
      guard hasRenames else { return Marks() }
      var renames = Marks()
      renames.edit { [own = self.renames] in $0.renames = own }
      return renames
    }

    /// The same marks with the renames reverted.
    package var inverse: Marks {
      guard hasRenames else { return self }
      var inverse = self
      inverse.edit {
        $0.renames = $0.renames.inverse
        $0.items.rename($0.renames.inOrder)
      }
      inverse.placed.rename(inverse.renames.inOrder)
      return inverse
    }

    /// Takes over the marks of a snapshot that this one supersedes before it was applied.
    ///
    /// Both snapshots are to be applied to one state. This one may be a copy of the other, with its
    /// marks, or know nothing of it: then it has rows under the names that the other one has changed.
    /// So each mark is set for both names of a row, and if both renamed a row, this snapshot's name
    /// counts. What does not fit this snapshot has no effect.
    ///
    /// - Complexity: O(m) for m marks.
    package mutating func takeOver(_ older: Marks) {
      guard !older.isEmpty else { return }
      let (own, later) = (lists?.value ?? Lists(), placed)
      self = older
      placed.alias(renames.inOrder)
      placed.rename(own.renames.inOrder)
      placed.formUnion(later)
      edit {
        $0.sections.formUnion(own.sections)
        $0.items.alias($0.renames.inOrder)
        $0.items.rename(own.renames.inOrder)
        $0.items.formUnion(own.items)
        $0.renames.takeOver(by: own.renames)
      }
    }

    /// The same marks with other renames.
    package func replacingRenames(
      _ change: (ItemRenames<ItemID>) -> ItemRenames<ItemID>
    ) -> Marks {
      guard hasRenames else { return self }
      var marks = self
      let renames = change(renames)
      marks.edit { $0.renames = renames }
      return marks
    }

    /// Adds the marks of a later revision: what is marked in either is marked.
    package mutating func formUnion(_ later: Marks) {
      if later.hasRenames {
        let renames = later.renames
        rename(renames.inOrder) { $0.formUnion(renames) }
      }
      placed.formUnion(later.placed)
      guard let later = later.lists?.value else { return }
      edit {
        $0.sections.formUnion(later.sections)
        $0.items.formUnion(later.items)
      }
    }
  }
}

extension Snapshot {
  package typealias Placed = PlacedRows<SectionID, ItemID>

  /// The items marked for a reload, in the order they were marked.
  public var reloadedItemIdentifiers: [ItemID] { marks.reloadedItems.inOrder }

  /// The items marked for a reconfigure, in the order they were marked.
  public var reconfiguredItemIdentifiers: [ItemID] { marks.reconfiguredItems.inOrder }

  /// The sections marked for a reload, in the order they were marked.
  public var reloadedSectionIdentifiers: [SectionID] { marks.reloadedSections.inOrder }

  /// The sections marked for a reconfigure, in the order they were marked.
  public var reconfiguredSectionIdentifiers: [SectionID] { marks.reconfiguredSections.inOrder }

  /// The items that ``renameItem(_:to:)`` gave other identifiers, in the order of the calls.
  public var renamedItems: [ItemRename<ItemID>] { marks.renames.inOrder }
}

extension Snapshot.Marks {
  /// The marks in a list that shows other rows for each item, or none.
  ///
  /// - Parameters:
  ///   - section: The section that is shown for one of these.
  ///   - rows: The rows that are shown for an item.
  ///   - renames: The rows that have other identifiers since items do.
  /// - Complexity: O(m) calls for m marks.
  package func translated<Section: Hashable & Sendable, Row: Hashable & Sendable>(
    _ section: (SectionID) -> Section?, rows: (ItemID) -> [Row], renames: [ItemRename<Row>]
  ) -> Snapshot<Section, Row>.Marks {
    var marks = Snapshot<Section, Row>.Marks()
    guard !isEmpty else { return marks }
    marks.rename(renames)
    marks.placed.formUnion(
      PlacedRows(
        sections: placed.sections.inOrder.compactMap(section),
        items: placed.items.inOrder.flatMap(rows)))
    guard hasMarks else { return marks }
    marks.reload(items: reloadedItems.inOrder.flatMap(rows))
    marks.reconfigure(items: reconfiguredItems.inOrder.flatMap(rows))
    marks.reload(sections: reloadedSections.inOrder.compactMap(section))
    marks.reconfigure(sections: reconfiguredSections.inOrder.compactMap(section))
    return marks
  }

  /// Whether there is more than renames and placed rows.
  private var hasMarks: Bool { count > renames.inOrder.count }
}
