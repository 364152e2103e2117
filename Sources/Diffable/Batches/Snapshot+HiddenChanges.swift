/// What changes among the items that outlines hide; differences do not list them.
extension Snapshot {
  /// Calls a function with hidden items and their models: those that an earlier state does not have
  /// in the same section, or has with another model.
  ///
  /// - Complexity: O(d · log n) for d leaves that differ among n items.
  func forEachHiddenModel<Model>(
    _ type: Model.Type, since previous: Snapshot, _ body: (_ item: ItemID, _ model: Model) -> Void
  ) {
    guard order.totals.hiddenRows > 0, let models = kernels.models else { return }
    for section in SnapshotComparison(old: previous, new: self).touched {
      guard let outline = order[section.new].outline?.value else { continue }
      let old = section.old.flatMap { previous.order[$0].outline?.value }
      outline.forEachRow(since: old ?? outline.emptied, models) { position, _ in
        let row = outline.rows[position]
        guard !row.isVisible else { return }
        let model = outline.rows.base.withModel(at: position) { $0?.model(as: type) }
        if let model { body(row.id, model) }
      }
    }
  }

  /// Calls a function with the items that are hidden here and that a later state does not have.
  ///
  /// - Complexity: O(d · log n) for d leaves that differ among n items, and a lookup in the later
  ///   state for each hidden item that has left its place.
  func forEachHiddenItem(leftOutBy next: Snapshot, _ body: (ItemID) -> Void) {
    guard order.totals.hiddenRows > 0 else { return }
    func visit(_ rows: some Sequence<Int>, of section: Int) {
      guard let outline = order[section].outline?.value else { return }
      for position in rows {
        let row = outline.rows[position]
        if !row.isVisible, !next.containsItem(row.id) { body(row.id) }
      }
    }
    let correspondence = SnapshotComparison(old: self, new: next).correspondence
    for section in correspondence.sectionDeletes {
      visit(0..<(order[section].outline?.value.count ?? 0), of: section)
    }
    for outline in correspondence.outlines { visit(outline.departures.joined(), of: outline.old) }
  }
}
