import Diffable

extension PageWriter {
  /// Shows other placeholders.
  ///
  /// A placeholder that stays is not touched, so it is where others have moved it.
  ///
  /// - Complexity: O(m · log n) for m placeholders that are inserted or deleted, among n rows.
  func show(
    _ new: PagePlaceholders, insteadOf old: PagePlaceholders, in draft: inout Draft
  ) throws {
    guard let placeholder, new.start != old.start || new.end != old.end else { return }
    func insert(
      _ indices: Range<Int>?, _ place: (Snapshot<SectionID, Model.ID>) -> ItemPath?
    ) throws {
      guard let indices, let path = place(draft.snapshot) else { return }
      try draft.insertItems(indices.map(placeholder), at: path)
    }
    // Next to the rows: the placeholders of dropped rows.
    try insert(
      Range(from: max(old.start.upperBound, new.start.lowerBound), to: new.start.upperBound)
    ) { gap(at: .start, old, in: $0) }
    try insert(
      Range(from: new.end.lowerBound, to: min(old.end.lowerBound, new.end.upperBound))
    ) { gap(at: .end, old, in: $0) }
    // Far from the rows: rows that the backend has in addition to its last answer, and rows that are
    // near enough now.
    try insert(
      Range(from: new.start.lowerBound, to: min(old.start.lowerBound, new.start.upperBound))
    ) { snapshot in
      let next = old.start.first.flatMap { live($0, in: snapshot) }
      return next.flatMap(snapshot.itemPath(for:)) ?? gap(at: .start, .none, in: snapshot)
    }
    try insert(
      Range(from: max(old.end.upperBound, new.end.lowerBound), to: new.end.upperBound)
    ) { snapshot in
      let last = old.end.last.flatMap { live($0, in: snapshot) }
      return last.flatMap(snapshot.itemPath(for:)).map {
        ItemPath(section: $0.section, item: $0.item + 1)
      } ?? gap(at: .end, .none, in: snapshot)
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

extension Range<Int> {
  /// The range between two bounds, or `nil` if there is nothing between them.
  fileprivate init?(from lower: Int, to upper: Int) {
    guard lower < upper else { return nil }
    self = lower..<upper
  }
}
