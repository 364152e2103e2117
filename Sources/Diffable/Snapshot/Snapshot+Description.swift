extension Snapshot: CustomStringConvertible {
  /// The snapshot in compact notation: `main[a b* c~] archive*[]`.
  ///
  /// Sections in order, their items in brackets; `*` marks a reload, `~` a reconfigure. A snapshot
  /// without sections is `∅`.
  public var description: String {
    guard numberOfSections > 0 else { return "∅" }
    return records.map { section in
      let items = section.items.array.map { item in
        if marks.reloadedItems.contains(item) { return "\(item)*" }
        return marks.reconfiguredItems.contains(item) ? "\(item)~" : "\(item)"
      }
      let mark =
        marks.reloadedSections.contains(section.id)
        ? "*" : marks.reconfiguredSections.contains(section.id) ? "~" : ""
      return "\(section.id)\(mark)[\(items.joined(separator: " "))]"
    }
    .joined(separator: " ")
  }
}
