/// The state of a revision, without the types of its identifiers.
///
/// Only the source that owns a hub puts states into it, so the types are those of the source.
package final class RevisionState: Sendable {
  let snapshot: UntypedSnapshot
  /// What changed since the revision before, models and marks included; `nil` in revision 0.
  let difference: SnapshotDifference?
  /// The digest of the shared log up to the revision.
  let digest: HistoryDigest

  package init(
    snapshot: consuming UntypedSnapshot, difference: consuming SnapshotDifference?,
    digest: HistoryDigest = .none
  ) {
    self.snapshot = snapshot
    self.difference = difference
    self.digest = digest
  }

  /// The same state, made by the entries of a log.
  func at(_ digest: HistoryDigest) -> RevisionState {
    RevisionState(snapshot: snapshot, difference: difference, digest: digest)
  }

  /// The state of revision 0.
  static func empty(_ kernels: SnapshotKernels) -> RevisionState {
    RevisionState(snapshot: UntypedSnapshot(kernels), difference: nil)
  }

  /// The approximate number of identifiers that it holds.
  var weight: Int { snapshot.weight }

  /// The approximate number of bytes that only this state holds after a change of it.
  ///
  /// An edit replaces the leaves that it touches and the nodes above them. What identifiers and models
  /// hold elsewhere does not count.
  ///
  /// - Complexity: O(r + m + d · log s) for r ranges of paths, m moves, and d deleted of s sections.
  func bytes(replacedBy difference: SnapshotDifference) -> Int {
    let shape = TreeShape.items
    let deleted = difference.sectionDeletes.ranges.joined()
      .reduce(into: (sections: 0, items: 0)) { sum, section in
        sum.sections += 1
        sum.items += snapshot.itemCount(ofSectionAt: section)
      }
    let touched =
      [
        difference.itemDeletes, difference.itemInserts, difference.itemReloads,
        difference.itemReconfigures,
      ].reduce(2 * difference.itemMoves.count + difference.outlineChanges.elementCount) {
        $0 + $1.ranges.count + $1.count / shape.builtLeafCount
      }
    let leaves = min(
      touched + deleted.items / shape.builtLeafCount + deleted.sections,
      snapshot.itemCount / shape.builtLeafCount + snapshot.order.count)
    let stride =
      snapshot.kernels.items.stride + MemoryLayout<UInt32>.stride
      + (snapshot.kernels.models?.stride ?? 0)
    // Above a leaf are a part of an inner node and a record of a section; the rest is the revision.
    let leafBytes = min(shape.builtLeafCount, snapshot.itemCount) * stride + 300
    return 1_500 + leaves * leafBytes + difference.itemMoves.count
      * MemoryLayout<Move<ItemPath>>.stride
  }
}

/// The notes of a revision, without the types of its identifiers.
package protocol RevisionNotes: AnyObject, Sendable {
  /// How many marks there are.
  var markCount: Int { get }
  /// The approximate number of identifiers that they hold.
  var weight: Int { get }
  /// The same without marks.
  var withoutMarks: any RevisionNotes { get }
  /// These notes together with those of later revisions.
  func joined(with later: some Sequence<any RevisionNotes>) -> any RevisionNotes
}

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

  package init(
    marks: Snapshot<SectionID, ItemID>.Marks, droppedItems: [ItemID], droppedSections: [SectionID],
    unconfirmedItems: [ItemID]? = nil, proposals: [WriteID] = []
  ) {
    self.marks = marks
    self.droppedItems = droppedItems
    self.droppedSections = droppedSections
    self.unconfirmedItems = unconfirmedItems
    self.proposals = proposals
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
      + proposals.count
  }

  package var withoutMarks: any RevisionNotes {
    TypedRevisionNotes(
      marks: .init(), droppedItems: droppedItems, droppedSections: droppedSections,
      unconfirmedItems: unconfirmedItems, proposals: proposals)
  }

  /// Joins the notes of several revisions, oldest first.
  ///
  /// A duplicate that several revisions dropped is listed once. Otherwise a list whose data repeats
  /// itself in every revision would grow without bound while no subscriber reads. What is not
  /// confirmed is what the last revision says.
  ///
  /// - Complexity: O(m log m) for m marks and dropped identifiers.
  package func joined(with later: some Sequence<any RevisionNotes>) -> any RevisionNotes {
    var marks = marks
    var items = DistinctList(droppedItems)
    var sections = DistinctList(droppedSections)
    var unconfirmed = unconfirmedItems
    var proposals = proposals
    for notes in later {
      let notes = Self.of(notes)
      marks.formUnion(notes.marks)
      items.append(contentsOf: notes.droppedItems)
      sections.append(contentsOf: notes.droppedSections)
      unconfirmed = notes.unconfirmedItems ?? unconfirmed
      proposals += notes.proposals
    }
    return TypedRevisionNotes(
      marks: marks, droppedItems: items.elements, droppedSections: sections.elements,
      unconfirmedItems: unconfirmed, proposals: proposals)
  }

  /// The typed view of notes that come from the hub of a source with these identifiers.
  static func of(_ notes: any RevisionNotes) -> TypedRevisionNotes {
    // Only the source that owns a hub puts notes into it, and only with its own types, so the cast
    // is checked in debug builds only. A checked cast would have to handle a case that cannot
    // happen.
    unsafeDowncast(notes, to: TypedRevisionNotes.self)
  }
}

/// A list that ignores elements that it already holds.
private struct DistinctList<Element: Hashable> {
  private(set) var elements: [Element]
  private lazy var known = Set(elements)

  init(_ elements: [Element]) {
    self.elements = elements
  }

  mutating func append(contentsOf others: [Element]) {
    for element in others where known.insert(element).inserted {
      elements.append(element)
    }
  }
}
