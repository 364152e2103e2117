extension RevisionReader {
  /// The rows that have left a section since it was marked for a reload.
  ///
  /// The mark names the section, and does not go with them. A subscriber that reads late would never show them
  /// again.
  ///
  /// - Parameters:
  ///   - base: The revision after which marks count.
  ///   - target: The last revision whose marks count.
  ///   - known: Revisions whose marks do not count.
  ///   - shown: What has become of the state of `target`.
  ///   - names: What was renamed in it since.
  /// - Returns: The rows of `shown`, as far as the history has the states that were marked.
  /// - Complexity: O(d · log n) for each marked revision, and d leaves that were changed since.
  package func leavers(
    ofSectionsMarkedAfter base: Revision, through target: Revision, except known: [Revision] = [],
    in shown: Snapshot<SectionID, ItemID>, renaming names: ItemRenames<ItemID> = .init()
  ) -> [ItemID] {
    let first = max(base.number, hub.oldest) + 1
    guard first <= target.number else { return [] }
    return (first...target.number).map { Revision($0) }.flatMap { revision -> [ItemID] in
      guard !known.contains(revision),
        let notes = hub.transition(from: revision.previous, to: revision)?.notes.first,
        case let marked = Self.marks(of: notes).reloadedSections, !marked.isEmpty,
        let state = snapshot(at: revision),
        let later = hub.transition(from: revision, to: target)
      else { return [] }
      var marks = later.notes.reduce(into: Snapshot<SectionID, ItemID>.Marks()) {
        $0.formUnion(Self.marks(of: $1).rowNotes)
      }
      marks.rename(names.inOrder)
      return shown.difference(fromState: state, marks: marks).itemMoves.compactMap { move in
        guard state.sectionIdentifier(at: move.from.section).map(marked.contains) ?? false,
          !(shown.sectionIdentifier(at: move.to.section).map(marked.contains) ?? true)
        else { return nil }
        return shown.itemIdentifier(for: move.to)
      }
    }
  }
}
