extension Snapshot.Marks {
  /// The marks in a list that shows other rows for each item, or none.
  ///
  /// - Parameters:
  ///   - section: The section that is shown for one of these.
  ///   - rows: The rows that are shown for an item.
  ///   - renames: The rows that have other identifiers since items do.
  /// - Complexity: O(m) calls for m marks.
  package func translated<Section: Hashable & Sendable, Row: Hashable & Sendable>(
    _ section: (SectionID) -> Section?, rows: (ItemID) -> [Row], renames: [ItemRename<Row>]
  ) -> Snapshot<Section, Row>.Marks {
    var marks = Snapshot<Section, Row>.Marks()
    guard !isEmpty else { return marks }
    marks.rename(renames)
    marks.place(
      PlacedRows(
        sections: placed.sections.inOrder.compactMap(section),
        items: placed.items.inOrder.flatMap(rows)))
    guard hasMarks else { return marks }
    marks.reload(items: reloadedItems.inOrder.flatMap(rows))
    marks.reconfigure(items: reconfiguredItems.inOrder.flatMap(rows))
    marks.reload(sections: reloadedSections.inOrder.compactMap(section))
    marks.reconfigure(sections: reconfiguredSections.inOrder.compactMap(section))
    return marks
  }

  /// Whether there is more than renames and placed rows.
  private var hasMarks: Bool { count > renames.inOrder.count }
}
