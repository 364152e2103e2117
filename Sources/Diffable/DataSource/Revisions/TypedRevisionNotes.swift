/// The notes of a revision.
package final class TypedRevisionNotes<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable
>: RevisionNotes {
  package let marks: Snapshot<SectionID, ItemID>.Marks
  let droppedItems: [ItemID]
  let droppedSections: [SectionID]
  /// The items that show changes which are not confirmed; `nil` if the source knows of no such.
  let unconfirmedItems: [ItemID]?
  /// The accepted proposals that have become part of the list.
  package let proposals: [WriteID]
  /// The renamed rows of the sources behind a derived source, hidden ones included.
  package let baseRenames: ItemRenames<ItemID>

  package init(
    marks: Snapshot<SectionID, ItemID>.Marks, droppedItems: [ItemID], droppedSections: [SectionID],
    unconfirmedItems: [ItemID]? = nil, proposals: [WriteID] = [],
    baseRenames: ItemRenames<ItemID> = ItemRenames()
  ) {
    self.marks = marks
    self.droppedItems = droppedItems
    self.droppedSections = droppedSections
    self.unconfirmedItems = unconfirmedItems
    self.proposals = proposals
    self.baseRenames = baseRenames
  }

  /// Notes of marks and dropped duplicates; `nil` if there are none.
  static func notes(
    _ marks: Snapshot<SectionID, ItemID>.Marks,
    _ dropped: (sections: [SectionID], items: [ItemID])
  ) -> TypedRevisionNotes? {
    guard !marks.isEmpty || !dropped.items.isEmpty || !dropped.sections.isEmpty else { return nil }
    return TypedRevisionNotes(
      marks: marks, droppedItems: dropped.items, droppedSections: dropped.sections)
  }

  package var markCount: Int { marks.count }

  package var weight: Int {
    marks.count + droppedItems.count + droppedSections.count + (unconfirmedItems?.count ?? 0)
      + proposals.count + baseRenames.count
  }

  package var withoutMarks: any RevisionNotes {
    TypedRevisionNotes(
      marks: .init(), droppedItems: droppedItems, droppedSections: droppedSections,
      unconfirmedItems: unconfirmedItems, proposals: proposals, baseRenames: baseRenames)
  }

  /// Joins the notes of several revisions, oldest first.
  ///
  /// A duplicate that several revisions dropped is listed once. Otherwise a list whose data repeats
  /// itself in every revision would grow without bound while no subscriber reads. What is not
  /// confirmed is what the last revision says.
  ///
  /// - Complexity: O(m log m) for m marks and dropped identifiers.
  package func joined(with later: some Sequence<any RevisionNotes>) -> any RevisionNotes {
    let all = [self] + later.map(Self.of)
    return TypedRevisionNotes(
      marks: all.dropFirst().reduce(into: marks) { $0.formUnion($1.marks) },
      droppedItems: Self.distinct(all.map(\.droppedItems)),
      droppedSections: Self.distinct(all.map(\.droppedSections)),
      unconfirmedItems: all.last { $0.unconfirmedItems != nil }?.unconfirmedItems,
      proposals: all.flatMap(\.proposals),
      baseRenames: all.dropFirst().reduce(into: baseRenames) {
        $0.formUnion($1.baseRenames.inOrder)
      })
  }

  /// The elements of several lists, each once.
  private static func distinct<Element: Hashable>(_ lists: [[Element]]) -> [Element] {
    let lists = lists.filter { !$0.isEmpty }
    return lists.count < 2 ? lists.first ?? [] : IdentifierSet(lists.joined()).inOrder
  }

  /// The typed view of notes that come from the hub of a source with these identifiers.
  static func of(_ notes: any RevisionNotes) -> TypedRevisionNotes {
    // Only the source that owns a hub puts notes into it, and only with its own types, so the cast
    // is checked in debug builds only. A checked cast would have to handle a case that cannot
    // happen.
    unsafeDowncast(notes, to: TypedRevisionNotes.self)
  }
}

extension UpdateBatch {
  /// Takes over the notes of the revisions that the batch leads through.
  package mutating func add(_ notes: TypedRevisionNotes<SectionID, ItemID>) {
    renamedItems = notes.marks.renames.inOrder
    droppedItems = notes.droppedItems
    droppedSections = notes.droppedSections
    unconfirmedItems = Set(notes.unconfirmedItems ?? [])
    proposals = notes.proposals
    if !notes.baseRenames.isEmpty { baseRenames = notes.baseRenames.inOrder }
  }
}
