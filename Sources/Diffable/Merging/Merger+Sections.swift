extension Merger {
  /// Puts the sections that the writer inserted or moved where the writer has them, and brings back
  /// deleted ones that items of the writer go into.
  ///
  /// - Parameter filled: The sections of the writer's snapshot that items go into.
  mutating func placeSections(filled: Set<Int>) throws(SnapshotError) {
    var placed = writer.placedSections
    for index in filled {
      guard let section = theirs.sectionIdentifier(at: index), !draft.containsSection(section)
      else { continue }
      placed.insert(contentsOf: index..<index + 1)
    }
    for run in placed.ranges {
      let sections = run.compactMap { index in
        theirs.sectionIdentifier(at: index).flatMap { section in
          isPlaced(section, isFilled: filled.contains(index)) ? section : nil
        }
      }
      let anchor = nearest(to: run, among: theirs.numberOfSections) { index in
        // A section behind the run that is placed itself does not stand in its place yet.
        (index < run.lowerBound || !placed.contains(index))
          && theirs.sectionIdentifier(at: index).map(draft.containsSection) ?? false
      }
      try place(sections, anchor)
    }
  }

  /// Answers whether a section that the writer inserted or moved goes where the writer has it.
  func isPlaced(_ section: SectionID, isFilled: Bool) -> Bool {
    isFilled || draft.containsSection(section) || writer.insertedSections.contains(section)
  }

  /// Puts sections beside another, one behind the other; they may be in the draft already.
  mutating func place(
    _ sections: [SectionID], _ anchor: Anchor?
  ) throws(SnapshotError) {
    var previous: SectionID?
    for section in sections {
      let isNew = !draft.containsSection(section)
      if isNew { draft.appendSections([section]) }
      if let previous {
        try draft.moveSection(section, afterSection: previous)
      } else if case .before(let index) = anchor, let other = theirs.sectionIdentifier(at: index) {
        try draft.moveSection(section, afterSection: other)
      } else if case .behind(let index) = anchor, let other = theirs.sectionIdentifier(at: index) {
        try draft.moveSection(section, beforeSection: other)
      }
      previous = section
    }
  }

  /// Deletes what the writer deleted, but for sections that others have put items into.
  mutating func deleteSections() {
    for section in writer.deletedSections where draft.containsSection(section) {
      guard draft.numberOfItems(inSection: section) == 0 else {
        add(section, .deletedButFilled)
        continue
      }
      if others.movedSections.contains(section) { add(section, .deletedButMoved) }
      draft.deleteSections([section])
    }
  }
}
