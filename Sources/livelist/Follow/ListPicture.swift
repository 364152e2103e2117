import Diffable
import DiffableTerminal

/// A batch in a line of text, and the list after it with a sign for the change of each item.
struct ListPicture {
  private let batch: UpdateBatch<String, String>
  private let rows: Int
  /// `+`, `↑`, `↓` or `~` for the items that the batch changes.
  private var signs: [String: Character] = [:]

  init(of batch: UpdateBatch<String, String>, rows: Int) {
    self.batch = batch
    self.rows = rows
    guard let previous = batch.previousSnapshot else { return }
    let (difference, snapshot) = (batch.difference, batch.snapshot)
    func sign(_ item: String?, _ sign: Character) {
      if let item { signs[item] = sign }
    }
    for path in difference.itemReloads { sign(previous.itemIdentifier(for: path), "~") }
    for path in difference.itemReconfigures { sign(snapshot.itemIdentifier(for: path), "~") }
    for move in difference.itemMoves {
      sign(snapshot.itemIdentifier(for: move.to), move.to < move.from ? "↑" : "↓")
    }
    for path in difference.itemInserts { sign(snapshot.itemIdentifier(for: path), "+") }
    for index in difference.sectionInserts.ranges.joined() {
      for item in snapshot.items(inSectionAt: index) { sign(item, "+") }
    }
  }

  /// The lines, each with a line feed.
  var text: String {
    let snapshot = batch.snapshot
    var lines = [BatchLine.text(for: batch, ("item", "items"))]
    let count = snapshot.numberOfSections + snapshot.numberOfItems
    for index in 0..<snapshot.numberOfSections where lines.count <= rows {
      lines.append("  " + (snapshot.sectionIdentifier(at: index) ?? "").printable())
      let outline = snapshot.outline(ofSectionAt: index)
      for item in snapshot.items(inSectionAt: index) {
        guard lines.count <= rows else { break }
        lines.append("\(signs[item] ?? " ")   " + indent(item, in: outline) + item.printable())
      }
    }
    let shown = lines.count - 1
    if shown < count { lines.append("    … and \(count - shown) more") }
    return lines.map { $0 + "\n" }.joined()
  }

  private func indent(_ item: String, in outline: Outline<String>?) -> String {
    guard let outline, let disclosure = outline.disclosure(of: item) else { return "" }
    let sign = disclosure.isExpandable ? (disclosure.isExpanded ? "▾ " : "▸ ") : "• "
    return String(repeating: "  ", count: min(disclosure.level, 20)) + sign
  }
}
