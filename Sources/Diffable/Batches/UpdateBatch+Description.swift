extension UpdateBatch: CustomStringConvertible {
  /// The batch in compact notation: its revisions, what changed, and the new state.
  ///
  /// For example `r3→r4 -0:1 +0:3 ⇒ main[a c d e]`, or `reset→r4 ⇒ main[a]`.
  public var description: String {
    let start = base.map { "\($0)" } ?? "reset"
    let changes = base == nil ? "" : " \(difference)"
    return "\(start)→\(target)\(changes) ⇒ \(snapshot)\(names)\(drops)"
  }

  private var names: String {
    renamedItems.isEmpty
      ? "" : ", renamed: " + renamedItems.map(\.description).joined(separator: " ")
  }

  private var drops: String {
    let dropped = droppedSections.map { "§\($0)" } + droppedItems.map { "\($0)" }
    return dropped.isEmpty ? "" : ", dropped: " + dropped.joined(separator: " ")
  }
}
