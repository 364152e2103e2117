extension Merger {
  /// Places the sections that the writer inserted or moved.
  ///
  /// It also brings back deleted ones if items of the writer belong to them.
  ///
  /// - Parameter filled: The sections of the writer's snapshot that receive items.
  func placeSections(filled: Set<Int>) throws(SnapshotError) {
    let missing = filled.filter { index in
      theirs.sectionIdentifier(at: index).map { !draft.containsSection($0) } ?? false
    }
    let placed = writer.placedSections.union(RangeSet(sorting: missing.map { $0..<$0 + 1 }))
    for run in placed.ranges {
      let sections = run.compactMap { index in
        theirs.sectionIdentifier(at: index).flatMap { section in
          isPlaced(section, isFilled: filled.contains(index)) ? section : nil
        }
      }
      // Where others have deleted all sections, looking for a neighbour would pass all of them for each run.
      guard !sections.isEmpty else { continue }
      let anchor = nearest(to: run, among: theirs.numberOfSections) { index in
        let isPlaced = placed.contains(index)
        // A section after the run that is placed itself is not in its place yet.
        guard index < run.lowerBound || !isPlaced,
          let section = theirs.sectionIdentifier(at: index), draft.containsSection(section)
        else { return .isAbsent }
        guard !left.sections.contains(section) else { return .isElsewhere }
        return isPlaced || !displaced.sections.contains(section) ? .stands : .isElsewhere
      }
      try place(sections, anchor)
    }
  }

  /// Whether a section that the writer inserted or moved is placed where the writer has it.
  func isPlaced(_ section: SectionID, isFilled: Bool) -> Bool {
    !left.sections.contains(section)
      && (isFilled || draft.containsSection(section) || writer.insertedSections.contains(section))
  }

  /// Places sections next to another one, in order; they may be in the draft already.
  func place(
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

  /// Deletes what the writer deleted, except for sections into which others have put items.
  func deleteSections() {
    for section in writer.deletedSections where draft.containsSection(section) {
      guard draft.numberOfItems(inSection: section) == 0 else {
        add(section, .deletedButFilled)
        continue
      }
      if deletedButMoved.contains(section) { add(section, .deletedButMoved) }
      draft.deleteSections([section])
    }
  }
}
