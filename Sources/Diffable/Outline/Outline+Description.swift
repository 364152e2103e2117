extension Outline: CustomStringConvertible {
  /// The outline as an indented picture, with one line for each item.
  ///
  /// `▾` is expanded and `▸` collapsed. `•` is an item without children, and `◦` one that a
  /// collapsed ancestor hides. `…` follows an item whose children are not loaded. Beyond 32 levels,
  /// the number of the level replaces deeper indentation. An empty outline is `∅`.
  public var description: String {
    var lines: [String] = []
    var collapsed = Int32.max
    var position = 0
    forEachRow(in: 0..<count) { row in
      if row.level <= collapsed { collapsed = .max }
      let isParent = row.hasUnloadedChildren || hasChildren(at: position)
      let leaf = collapsed == .max ? "•" : "◦"
      let sign = row.isExpanded ? "▾" : isParent ? "▸" : leaf
      let indentation =
        row.level <= 32
        ? String(repeating: "  ", count: Int(row.level))
        : String(repeating: "  ", count: 32) + "(level \(row.level)) "
      lines.append("\(indentation)\(sign) \(row.id)\(row.hasUnloadedChildren ? " …" : "")")
      if !row.isExpanded { collapsed = min(collapsed, row.level) }
      position += 1
    }
    return lines.isEmpty ? "∅" : lines.joined(separator: "\n")
  }
}
