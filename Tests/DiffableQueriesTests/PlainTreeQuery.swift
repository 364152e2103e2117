import Diffable
import DiffableQueries

/// A row of a list with trees.
struct TreeNote: Identifiable, Equatable, Sendable {
  let id: Int
  /// What it names as its parent, if a query makes trees.
  var parent: Int?
  var group = 0
  var value = 0
}

/// A list of sections as arrays, with all rows of trees, worked out without anything of the package.
struct PlainList: Equatable, CustomStringConvertible {
  struct Row: Equatable, CustomStringConvertible {
    var note: TreeNote
    var level = 0
    var isExpanded = false

    var description: String {
      String(repeating: ">", count: level) + "\(note.id)\(isExpanded ? "+" : "")=\(note.value)"
    }
  }

  struct Section: Equatable, CustomStringConvertible {
    var id: Int
    var isTree: Bool
    var rows: [Row]

    var description: String { "\(id)\(isTree ? "△" : "")\(rows)" }

    /// The rows without a collapsed one above them.
    var visible: [Row] {
      rows.indices.filter { index in
        var level = rows[index].level
        for above in rows[..<index].reversed() where above.level < level {
          guard above.isExpanded else { return false }
          level = above.level
        }
        return true
      }.map { rows[$0] }
    }

    /// The indices of the rows below a row.
    func below(_ index: Int) -> Range<Int> {
      let rest = rows.indices.dropFirst(index + 1)
      return index + 1..<(rest.first { rows[$0].level <= rows[index].level } ?? rows.count)
    }
  }

  var sections: [Section]

  var description: String { sections.map(\.description).joined(separator: " ") }

  /// All rows of a state, hidden ones too.
  init(_ state: Snapshot<Int, Int>) {
    sections = state.sectionIdentifiers.map { section in
      let tree = state.outline(ofSection: section)
      let items = tree?.items ?? state.itemIdentifiers(inSection: section)
      return Section(
        id: section, isTree: tree != nil,
        rows: items.map { item in
          Row(
            note: ModelBatch<Int, TreeNote>.element(for: item, in: state) ?? TreeNote(id: -1),
            level: tree?.level(of: item) ?? 0, isExpanded: tree?.isExpanded(item) ?? false)
        })
    }
  }
}

/// Operations on lists with trees.
enum TreeOperation: Sendable {
  /// It sees only the rows that are shown, as a list.
  case omitEmptySections
  /// `nil` keeps everything.
  case search(Int?, keepsUnloaded: Bool)
  case totals

  typealias Query = ListQuery<ModelBatch<Int, TreeNote>, ModelBatch<Int, TreeNote>>

  func added(to query: Query) -> Query {
    switch self {
    case .omitEmptySections: query.omittingEmptySections()
    case .search(let number, let keepsUnloaded):
      query.searched(if: number != nil, keepsUnloaded: keepsUnloaded) {
        !Self.keeps($0, number ?? 0)
      }
    case .totals:
      query.aggregatingDescendants(.sum(of: { $0.value + 1 })) { Self.totalled($0, $1, $2) }
    }
  }

  private static func keeps(_ note: TreeNote, _ number: Int) -> Bool {
    (note.id + note.value) % 4 != number
  }

  private static func totalled(_ note: TreeNote, _ count: Int, _ sum: Int) -> TreeNote {
    var note = note
    note.value = (note.value + 5 * count + 7 * sum) % 64
    return note
  }

  /// The same, worked out in arrays; no row has children that are not loaded.
  static func evaluate(_ operations: [TreeOperation], _ list: PlainList) -> PlainList {
    var (list, omits) = (list, false)
    for operation in operations {
      for index in list.sections.indices { operation.apply(to: &list.sections[index]) }
      if case .omitEmptySections = operation { omits = true }
      if omits { list.sections.removeAll { $0.rows.isEmpty } }
    }
    return list
  }

  private func apply(to section: inout PlainList.Section) {
    let all = section
    switch self {
    case .omitEmptySections:
      section.rows = section.visible.map { PlainList.Row(note: $0.note) }
      section.isTree = false
    case .search(let number, _):
      func matches(_ index: Int) -> Bool {
        number.map { !Self.keeps(all.rows[index].note, $0) } ?? true
      }
      section.rows = all.rows.indices.filter { index in
        matches(index) || all.below(index).contains(where: matches)
      }.map { all.rows[$0] }
      // What is found is expanded.
      guard section.isTree, number != nil else { return }
      for index in section.rows.indices { section.rows[index].isExpanded = true }
    case .totals:
      for index in all.rows.indices {
        let rows = all.below(index)
        section.rows[index].note = Self.totalled(
          all.rows[index].note, rows.count,
          rows.reduce(0) { $0 + all.rows[$1].note.value + 1 })
      }
    }
  }
}
