extension UpdateBatch {
  /// Takes over the notes of the revisions that the batch leads through.
  package mutating func add(_ notes: TypedRevisionNotes<SectionID, ItemID>) {
    renamedItems = notes.marks.renames.inOrder
    droppedItems = notes.droppedItems
    droppedSections = notes.droppedSections
    unconfirmedItems = Set(notes.unconfirmedItems ?? [])
    proposals = notes.proposals
  }
}
