import Diffable
import DiffableQueries

/// A row of the lists that programs over trees write.
struct TreeNote: Identifiable, Equatable, Sendable {
  let id: Int
  /// What it names as its parent, if a query makes trees.
  var parent: Int?
  var group = 0
  var value = 0
}

/// A list of sections as arrays, worked out without anything of the package.
struct PlainList: Equatable, CustomStringConvertible {
  struct Row: Equatable, CustomStringConvertible {
    var note: TreeNote
    var level = 0
    var isExpanded = false
    var isUnloaded = false

    var description: String {
      String(repeating: ">", count: level)
        + "\(note.id)\(isExpanded ? "+" : "")\(isUnloaded ? "…" : "")=\(note.value)"
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

  var ids: [Int] { sections.flatMap { $0.rows.map(\.note.id) } }
}

/// Operations on lists with trees.
enum TreeOperation: Sendable {
  case filter(Int)
  case sort
  case group
  case window(Range<Int>)
  case omitEmptySections
  case keepEmptySections
  case map
  case outline(isExpanded: Bool, loads: Bool)
  /// `nil` keeps everything.
  case search(Int?, keepsUnloaded: Bool)
  case totals

  typealias Query = ListQuery<ModelBatch<Int, TreeNote>, ModelBatch<Int, TreeNote>>

  func added(to query: Query, isDeclared: Bool) -> Query {
    let id = isDeclared ? "\(self)" : nil
    return switch self {
    case .filter(let number): query.filter(id: id) { Self.keeps($0, number) }
    case .sort: query.sorted(id: id, by: \.group)
    case .group: query.grouped(id: id, by: \.group)
    case .window(let range): query.window(range)
    case .omitEmptySections: query.omittingEmptySections()
    case .keepEmptySections: query.keepingEmptySections()
    case .map: query.map(id: id) { Self.mapped($0) }
    case .outline(let isExpanded, loads: false):
      query.outlined(id: id, by: \.parent, isExpanded: isExpanded)
    case .outline(let isExpanded, loads: true):
      query.outlined(id: id, by: \.parent, isExpanded: isExpanded) {
        Self.isUnloaded($0)
      } load: { _ in
      }
    case .search(let number, let keepsUnloaded):
      query.searched(if: number != nil, keepsUnloaded: keepsUnloaded) {
        !Self.keeps($0, number ?? 0)
      }
    case .totals:
      query.aggregatingDescendants(id: id, .sum(of: { $0.value + 1 })) {
        Self.totalled($0, $1, $2)
      }
    }
  }

  private static func keeps(_ note: TreeNote, _ number: Int) -> Bool {
    (note.id + note.value) % 4 != number
  }
  private static func isUnloaded(_ note: TreeNote) -> Bool { note.value % 5 == 1 }
  private static func mapped(_ note: TreeNote) -> TreeNote {
    var note = note
    note.value = (note.value * 3 + 1) % 8
    return note
  }
  private static func totalled(_ note: TreeNote, _ count: Int, _ sum: Int) -> TreeNote {
    var note = note
    note.value = (note.value + 5 * count + 7 * sum) % 64
    return note
  }

  /// Whether it reads trees, and not only their visible rows.
  private var seesTrees: Bool {
    switch self {
    case .search, .totals: true
    default: false
    }
  }
}

/// Working operations out.
extension TreeOperation {
  /// The rows of trees that were expanded and collapsed, and those while a search shows what it finds.
  struct Folds {
    var all: [Int: Bool] = [:]
    var found: [Int: Bool] = [:]
  }

  static func isSearch(_ operations: [TreeOperation]) -> Bool {
    operations.contains { if case .search(.some, _) = $0 { true } else { false } }
  }

  static func evaluate(
    _ operations: [TreeOperation], _ list: PlainList, _ folds: Folds
  ) -> PlainList {
    var (list, omits, isSorted) = (list, false, false)
    if operations.first?.seesTrees != true { list = list.flat }
    for operation in operations {
      if !operation.seesTrees { list = list.flat }
      list.sections = operation.applied(to: list.sections, isSorted, folds)
      switch operation {
      case .sort: isSorted = true
      case .outline, .search, .totals: isSorted = false
      case .group, .window, .omitEmptySections: omits = true
      case .keepEmptySections: omits = false
      case .filter, .map: break
      }
      if omits { list.sections.removeAll { $0.rows.isEmpty } }
    }
    return list
  }

  private func applied(
    to sections: [PlainList.Section], _ isSorted: Bool, _ folds: Folds
  ) -> [PlainList.Section] {
    typealias Section = PlainList.Section
    func each(_ change: (inout Section) -> Void) -> [Section] {
      sections.map { section in
        var section = section
        change(&section)
        return section
      }
    }
    switch self {
    case .filter(let number):
      return each { $0.rows.removeAll { !Self.keeps($0.note, number) } }
    case .sort: return each { $0.rows.sortStably { $0.note.group } }
    case .group:
      var rows = sections.flatMap(\.rows)
      if isSorted { rows.sortStably { $0.note.group } }
      return Set(rows.map(\.note.group)).sorted().map { group in
        Section(id: group, isTree: false, rows: rows.filter { $0.note.group == group })
      }
    case .window(let range):
      var start = 0
      return each { section in
        let rows = section.rows
        section.rows = rows.indices.filter { range.contains(start + $0) }.map { rows[$0] }
        start += rows.count
      }
    case .omitEmptySections, .keepEmptySections: return sections
    case .map: return each { $0.rows = $0.rows.map { .init(note: Self.mapped($0.note)) } }
    case .outline(let isExpanded, let loads):
      return each { Self.makeTree(&$0, isExpanded: isExpanded, loads: loads, folds.all) }
    case .search(let number, let keepsUnloaded):
      return each { section in
        let all = section
        let folds = number == nil ? folds.all : folds.found
        func matches(_ index: Int) -> Bool {
          guard let number else { return true }
          return !Self.keeps(all.rows[index].note, number)
            || keepsUnloaded && all.isTree && all.rows[index].isUnloaded
        }
        section.rows = all.rows.indices.filter { index in
          matches(index) || all.below(index).contains(where: matches)
        }.map { all.rows[$0] }
        guard section.isTree else { return }
        for index in section.rows.indices {
          let row = section.rows[index]
          let isShown = number != nil && !row.isUnloaded
          section.rows[index].isExpanded = folds[row.note.id] ?? (isShown || row.isExpanded)
        }
      }
    case .totals:
      return each { section in
        let all = section
        for index in all.rows.indices {
          let rows = all.below(index)
          section.rows[index].note = Self.totalled(
            all.rows[index].note, rows.count,
            rows.reduce(0) { $0 + all.rows[$1].note.value + 1 })
        }
      }
    }
  }

  private static func makeTree(
    _ section: inout PlainList.Section, isExpanded: Bool, loads: Bool, _ folds: [Int: Bool]
  ) {
    let notes = section.rows.map(\.note)
    let ids = Set(notes.map(\.id))
    var rows: [PlainList.Row] = []
    func add(below parent: Int?, level: Int) {
      for note in notes {
        let named = note.parent.flatMap { ids.contains($0) && $0 != note.id ? $0 : nil }
        guard named == parent else { continue }
        let isUnloaded = loads && isUnloaded(note)
        rows.append(
          PlainList.Row(
            note: note, level: level,
            isExpanded: folds[note.id] ?? (isExpanded && !isUnloaded), isUnloaded: isUnloaded))
        add(below: note.id, level: level + 1)
      }
    }
    add(below: nil, level: 0)
    (section.rows, section.isTree) = (rows, true)
  }
}

extension PlainList {
  /// The list of the visible rows.
  fileprivate var flat: PlainList {
    PlainList(
      sections: sections.map { section in
        Section(
          id: section.id, isTree: false, rows: section.visible.map { Row(note: $0.note) })
      })
  }
}

extension [PlainList.Row] {
  fileprivate mutating func sortStably(by key: (Element) -> Int) {
    self = enumerated().sorted { (key($0.element), $0.offset) < (key($1.element), $1.offset) }
      .map(\.element)
  }
}
