/// Which outline each section has after a merge.
///
/// What outlines show is merged as lists. This is for what lists do not say: how the items hang
/// together, and what is hidden.
@usableFromInline
struct MergedOutlines<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  @usableFromInline typealias State = Snapshot<SectionID, ItemID>

  /// By section; `nil` in it for a section that is a list.
  @usableFromInline var outlines: [SectionID: Outline<ItemID>?] = [:]
  @usableFromInline var conflicts: [MergeConflict<SectionID, ItemID>] = []

  /// Whether no side has any outline.
  @inlinable var isEmpty: Bool { outlines.isEmpty }

  /// - Complexity: O(k · log s + d · log n) for k of s sections that are outlines, and d leaves in
  ///   which these differ.
  @inlinable init(live: State, theirs: State, base: State) {
    for side in [live, theirs, base] {
      for section in side.outlineIndices.compactMap(side.sectionIdentifier(at:)) {
        guard outlines[section] == nil else { continue }
        let outline = (
          live: live.outline(ofSection: section), theirs: theirs.outline(ofSection: section),
          base: base.outline(ofSection: section)
        )
        // A side without the section says nothing about its outline.
        guard theirs.containsSection(section), outline.theirs != outline.base else {
          outlines[section] = .some(outline.live)
          continue
        }
        outlines[section] = .some(outline.theirs)
        if live.containsSection(section), outline.live != outline.base,
          outline.live != outline.theirs
        {
          conflicts.append(.section(section, .outlineChangedTwice))
        }
      }
    }
  }

  /// Gives the sections of a merged snapshot their outlines, which then show the items that were
  /// merged.
  ///
  /// - Complexity: O(n) for n items in outlines.
  @inlinable func restore(in merged: inout State) {
    for (index, section) in merged.sectionIdentifiers.enumerated() {
      guard case .some(.some(let outline)) = outlines[section] else { continue }
      let items = Array(merged.items(inSectionAt: index))
      merged.setOutline(outline.showing(items) ?? outline, ofSectionAt: index)
    }
  }
}

extension Snapshot {
  /// This snapshot with its table and its marks.
  @inlinable var resolvedWithMarks: Snapshot {
    var result = resolved
    result.marks = marks
    return result
  }
}
