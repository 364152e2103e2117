import Diffable

/// One row, as somebody who looks at the screen would describe it.
struct Row: Equatable, Sendable {
  /// Which row it is, whatever it is called.
  var soul: Int
  var card: Card
  /// Of a tree: how deep it is.
  var level = 0
  /// Of a tree: whether its children are shown.
  var isExpanded = false

  var id: Int { card.id }
}

/// A section, with all its rows from top to bottom, hidden ones too.
struct Section: Equatable, Sendable {
  var shelf: Shelf
  var header: String?
  var isTree = false
  var rows: [Row] = []

  /// A row with everything below it.
  func subtree(at index: Int) -> Range<Int> {
    let end = rows[(index + 1)...].firstIndex { $0.level <= rows[index].level }
    return index..<(end ?? rows.count)
  }

  /// The places of the rows that are shown: no row above them is collapsed.
  var shown: [Int] {
    var (result, hidden) = ([Int](), Int.max)
    for (index, row) in rows.enumerated() {
      if row.level > hidden { continue }
      result.append(index)
      hidden = isTree && !row.isExpanded ? row.level : .max
    }
    return result
  }

  /// The names of the rows that are shown.
  var shownIDs: [Int] { shown.map { rows[$0].id } }

  func hasChildren(_ index: Int) -> Bool { subtree(at: index).count > 1 }
}

/// The plain truth about a list: arrays, and nothing else.
struct PlainList: Equatable, Sendable {
  var sections: [Section] = []

  /// Where something is: its section, and its place among all rows of it.
  struct Place: Equatable, Sendable { var section: Int, row: Int }

  var rows: [Row] { sections.flatMap(\.rows) }
  var souls: Set<Int> { Set(rows.map(\.soul)) }
  var shelves: Set<Shelf> { Set(sections.map(\.shelf)) }

  /// The rows on the screen.
  var shownRows: [Row] { sections.flatMap { section in section.shown.map { section.rows[$0] } } }

  /// The places of all rows, or of those that are shown.
  func places(shown: Bool) -> [Place] {
    sections.indices.flatMap { section in
      let rows = shown ? sections[section].shown : Array(sections[section].rows.indices)
      return rows.map { Place(section: section, row: $0) }
    }
  }

  func place(of id: Int) -> Place? {
    places(shown: false).first { sections[$0.section].rows[$0.row].id == id }
  }

  /// The row on the screen at a path.
  func shownID(at path: ItemPath) -> Int? {
    guard sections.indices.contains(path.section) else { return nil }
    let ids = sections[path.section].shownIDs
    return ids.indices.contains(path.item) ? ids[path.item] : nil
  }

  func row(_ id: Int) -> Row? { rows.first { $0.id == id } }

  func section(of shelf: Shelf) -> Int? { sections.firstIndex { $0.shelf == shelf } }

  subscript(place: Place) -> Row {
    get { sections[place.section].rows[place.row] }
    set { sections[place.section].rows[place.row] = newValue }
  }

  /// Only what is shown, as lists without trees.
  var flat: PlainList {
    var flat = self
    for index in sections.indices {
      flat.sections[index].isTree = false
      flat.sections[index].rows = sections[index].shown.map {
        Row(soul: sections[index].rows[$0].soul, card: sections[index].rows[$0].card)
      }
    }
    return flat
  }

  /// What is compared with a source: all but the souls, and the flags of rows without children.
  var text: String {
    sections.map { section in
      let rows = section.rows.indices.map { index in
        let row = section.rows[index]
        let sign =
          !section.isTree ? "" : !section.hasChildren(index) ? "·" : row.isExpanded ? "▾" : "▸"
        return String(repeating: ">", count: row.level) + sign
          + "\(row.id):\(row.card.rank),\(row.card.text)"
      }
      return "\(section.shelf)\(section.isTree ? "/" : "")(\(section.header ?? ""))"
        + "[\(rows.joined(separator: " "))]"
    }.joined(separator: " ")
  }
}
