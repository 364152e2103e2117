extension PageWriter {
  /// Shows other placeholders.
  ///
  /// - Complexity: O(m · log n) for m placeholders that are inserted or deleted, among n rows.
  func show(
    _ new: PagePlaceholders, insteadOf old: PagePlaceholders, in draft: inout Draft
  ) throws {
    guard let placeholder, new != old else { return }
    // Next to the rows: the placeholders of dropped rows.
    let start = old.start.upperBound..<max(old.start.upperBound, new.start.upperBound)
    try insert(start.map(placeholder), at: .start, old, into: &draft)
    let limit = max(new.end.lowerBound, min(old.end.lowerBound, new.end.upperBound))
    try insert((new.end.lowerBound..<limit).map(placeholder), at: .end, old, into: &draft)
    // Far from the rows: rows that the backend has in addition to its last answer.
    let tail = max(old.end.upperBound, new.end.lowerBound)
    if tail < new.end.upperBound {
      let models = (tail..<new.end.upperBound).map(placeholder)
      if let anchor = old.end.last.flatMap({ live($0, in: draft.snapshot) }) {
        try draft.insertItems(models, afterItem: anchor)
      } else {
        try draft.appendItems(models, toSection: section)
      }
    }
    let gone =
      Self.indices(of: old.start, outside: new.start)
      + Self.indices(of: old.end, outside: new.end)
    draft.deleteItems(gone.map { placeholder($0).id })
  }

  /// The indices in one range that are not in another; some may appear twice.
  private static func indices(of old: Range<Int>, outside new: Range<Int>) -> [Int] {
    Array(old.prefix(max(0, new.lowerBound - old.lowerBound)))
      + Array(old.suffix(max(0, old.upperBound - new.upperBound)))
  }

  /// The identifier of a placeholder, if it is in its section.
  func live(_ index: Int, in snapshot: Snapshot<SectionID, Model.ID>) -> Model.ID? {
    guard let item = placeholder?(index).id,
      snapshot.sectionIdentifier(containingItem: item) == section
    else { return nil }
    return item
  }
}
