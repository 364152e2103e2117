/// The notes of a revision.
package final class TypedRevisionNotes<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable
>: RevisionNotes {
  /// What the notes say.
  package struct Contents: Sendable {
    package var marks: Snapshot<SectionID, ItemID>.Marks
    var droppedItems: [ItemID] = []
    var droppedSections: [SectionID] = []
    /// The items that show changes which are not confirmed; `nil` if the source knows of no such.
    package var unconfirmedItems: Set<ItemID>?
    /// The accepted proposals that have become part of the list.
    package var proposals: [WriteID] = []
    /// The renamed rows of the sources behind a derived source, hidden ones included.
    var baseRenames = ItemRenames<ItemID>()

    package init(marks: Snapshot<SectionID, ItemID>.Marks = .init()) {
      self.marks = marks
    }
  }

  package let contents: Contents

  package init(_ contents: Contents) {
    self.contents = contents
  }

  package var marks: Snapshot<SectionID, ItemID>.Marks { contents.marks }
  package var proposals: [WriteID] { contents.proposals }

  package var markCount: Int {
    marks.count - marks.renames.count + contents.droppedItems.count
      + contents.droppedSections.count
  }
  package var rowNoteCount: Int { max(marks.rowNoteCount, contents.baseRenames.count) }

  /// Whether there are notes for followers besides marks.
  package var saysMoreThanMarks: Bool { weight > marks.count + marks.placed.count }

  package var weight: Int {
    marks.count + marks.placed.count + contents.droppedItems.count + contents.droppedSections.count
      + (contents.unconfirmedItems?.count ?? 0) + proposals.count + contents.baseRenames.count
  }

  /// The same notes, with further items that are to be reloaded.
  func reloading(_ items: [ItemID]) -> TypedRevisionNotes {
    var contents = contents
    contents.marks.reload(items: items)
    return TypedRevisionNotes(contents)
  }

  package var withoutMarks: any RevisionNotes {
    var contents = contents
    contents.marks = contents.marks.onlyRenames
    (contents.droppedItems, contents.droppedSections) = ([], [])
    return TypedRevisionNotes(contents)
  }

  /// - Complexity: O(r) calls for r renames and placed rows, given a good hash.
  package func withoutRowNotes(ofRowsMissingIn state: UntypedSnapshot) -> any RevisionNotes {
    let state = Snapshot<SectionID, ItemID>(state)
    var contents = contents
    contents.marks.keepRowNotes(ofSections: state.containsSection, items: state.containsItem)
    for rename in contents.baseRenames.inOrder where !state.containsItem(rename.old) {
      contents.baseRenames.forget(rename.new)
    }
    return TypedRevisionNotes(contents)
  }

  /// The greatest number of names of proposals that are kept for a subscriber that has stopped reading.
  ///
  /// A follower that does not find the name of its own proposal waits for the answer to it, as after a reset.
  package static var mostProposals: Int { 1 << 14 }

  package var withoutOldProposals: any RevisionNotes {
    guard proposals.count > Self.mostProposals else { return self }
    var contents = contents
    contents.proposals = contents.proposals.suffix(Self.mostProposals)
    return TypedRevisionNotes(contents)
  }

  /// Joins the notes of several revisions, oldest first.
  ///
  /// A duplicate that several revisions dropped is listed once. Otherwise a list whose data repeats
  /// itself in every revision would grow without bound while no subscriber reads. What is not
  /// confirmed is what the last revision says.
  ///
  /// - Complexity: O(m log m) for m marks and dropped identifiers.
  package func joined(with later: some Sequence<any RevisionNotes>) -> any RevisionNotes {
    let later = later.map { Self.of($0).contents }
    let all = [contents] + later
    var joined = contents
    joined.droppedItems = Self.distinct(all.map(\.droppedItems))
    joined.droppedSections = Self.distinct(all.map(\.droppedSections))
    for next in later {
      joined.marks.formUnion(next.marks)
      joined.unconfirmedItems = next.unconfirmedItems ?? joined.unconfirmedItems
      joined.proposals += next.proposals
      joined.baseRenames.formUnion(next.baseRenames)
    }
    return TypedRevisionNotes(joined)
  }

  /// The elements of several lists, each once.
  private static func distinct<Element: Hashable & Sendable>(_ lists: [[Element]]) -> [Element] {
    let lists = lists.filter { !$0.isEmpty }
    return lists.count < 2 ? lists.first ?? [] : IdentifierSet(lists.joined()).inOrder
  }

  /// The typed view of notes that come from the hub of a source with these identifiers.
  package static func of(_ notes: any RevisionNotes) -> TypedRevisionNotes {
    // Only the source that owns a hub puts notes into it, and only with its own types, so the cast
    // is checked in debug builds only. A checked cast would have to handle a case that cannot
    // happen.
    unsafeDowncast(notes, to: TypedRevisionNotes.self)
  }
}
