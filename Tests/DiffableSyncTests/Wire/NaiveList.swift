import Diffable

/// A list that does what the page "The format of deltas" says, element by element, and nothing else.
///
/// It knows neither ranges, nor trees, nor the types of this package. `applying` returns `nil` for a
/// delta that does not fit.
struct NaiveList {
  struct Row: Equatable {
    var id: Int
    var level = 0
    var expanded = false
    var unloaded = false
  }

  struct Section: Equatable {
    var id: String
    var items: [Int]
    /// `nil` in a flat list.
    var rows: [Row]?
  }

  var sections: [Section] = []

  /// All of it, so that lists can be compared.
  var text: String { "\(sections.map { "\($0.id)\($0.items)\($0.rows.map { "\($0)" } ?? "")" })" }
}

extension NaiveList {
  private typealias Object = [String: Any]

  func applying(_ delta: [String: Any]) -> NaiveList? {
    var result = NaiveList()
    // A proposal has no counts.
    let counts = delta["counts"] as? [String: Int]
    if delta["base"] == nil {
      result.sections = Self.sections(delta["sections"])
    } else {
      guard let changed = changed(by: delta) else { return nil }
      result = changed
    }
    let items = result.sections.flatMap { $0.rows?.map(\.id) ?? $0.items }
    guard Set(items).count == items.count,
      Set(result.sections.map(\.id)).count == result.sections.count
    else { return nil }
    guard let counts else { return result }
    let visible = result.sections.reduce(0) { $0 + $1.items.count }
    return counts == ["sections": result.sections.count, "items": visible] ? result : nil
  }

  private func changed(by delta: Object) -> NaiveList? {
    let difference = delta["difference"] as? Object ?? [:]
    func indices(_ name: String) -> [Int] {
      (difference[name] as? [[Int]] ?? []).flatMap { Array($0[0]..<$0[1]) }
    }
    func paths(_ name: String) -> [[Int]] {
      (difference[name] as? [[Int]] ?? []).flatMap { range in
        (range[1]..<range[2]).map { [range[0], $0] }
      }
    }
    func path(_ value: Any?) -> [Int] {
      let value = value as? [String: Int]
      return [value?["section"] ?? -1, value?["item"] ?? -1]
    }
    let sectionMoves = (difference["sectionMoves"] as? [[String: Int]] ?? [])
      .map { (from: $0["from"] ?? -1, to: $0["to"] ?? -1) }
    let itemMoves = (difference["itemMoves"] as? [Object] ?? [])
      .map { (from: path($0["from"]), to: path($0["to"])) }

    // What is removed is found at its old position, so all of it is found before any is removed.
    var arrivals: [(to: [Int], item: Int)] = []
    let items = delta["items"] as? [Int] ?? []
    guard items.count == paths("itemInserts").count else { return nil }
    arrivals += zip(paths("itemInserts"), items).map { ($0, $1) }
    for move in itemMoves {
      guard let item = item(at: move.from) else { return nil }
      arrivals.append((move.to, item))
    }
    var old = sections
    for path in (paths("itemDeletes") + itemMoves.map(\.from)).sorted(by: { $0[1] > $1[1] }) {
      guard item(at: path) != nil, !indices("sectionDeletes").contains(path[0]),
        old[path[0]].items.indices.contains(path[1])
      else { return nil }
      old[path[0]].items.remove(at: path[1])
    }
    var comings: [(to: Int, section: Section)] = []
    let brought = Self.sections(delta["sections"])
    guard brought.count == indices("sectionInserts").count else { return nil }
    comings += zip(indices("sectionInserts"), brought).map { ($0, $1) }
    for move in sectionMoves {
      guard old.indices.contains(move.from) else { return nil }
      comings.append((move.to, old[move.from]))
    }
    for index in (indices("sectionDeletes") + sectionMoves.map(\.from)).sorted(by: >) {
      guard old.indices.contains(index) else { return nil }
      old.remove(at: index)
    }
    for (index, section) in comings.sorted(by: { $0.to < $1.to }) {
      guard index <= old.count else { return nil }
      old.insert(section, at: index)
    }
    for (path, item) in arrivals.sorted(by: { $0.to[1] < $1.to[1] }) {
      guard old.indices.contains(path[0]), path[1] <= old[path[0]].items.count else { return nil }
      old[path[0]].items.insert(item, at: path[1])
    }
    // The identifiers are those before: a new item may have the old identifier of a renamed one.
    for path in paths("itemRenames") {
      guard old.indices.contains(path[0]), old[path[0]].items.indices.contains(path[1]) else {
        return nil
      }
      let item = old[path[0]].items[path[1]]
      let renames = delta["renamedItems"] as? [[String: Int]] ?? []
      guard let rename = renames.last(where: { $0["old"] == item }), let new = rename["new"] else {
        return nil
      }
      old[path[0]].items[path[1]] = new
    }
    let outlines = delta["outlines"] as? [Object] ?? []
    guard outlines.count == indices("outlineChanges").count else { return nil }
    for (index, change) in zip(indices("outlineChanges"), outlines) {
      guard old.indices.contains(index) else { return nil }
      if let rows = change["outline"] {
        old[index].rows = Self.rows(rows)
      } else if let splices = change["splices"] as? [Object] {
        guard var rows = old[index].rows else { return nil }
        for splice in splices.reversed() {
          let start = splice["at"] as? Int ?? -1
          let end = start + (splice["remove"] as? Int ?? 0)
          guard start >= 0, end <= rows.count else { return nil }
          rows.replaceSubrange(start..<end, with: Self.rows(splice["rows"]))
        }
        old[index].rows = rows
      } else {
        old[index].rows = nil
      }
    }
    for section in old {
      guard let rows = section.rows else { continue }
      guard Self.visible(rows) == section.items else { return nil }
    }
    return NaiveList(sections: old)
  }

  private func item(at path: [Int]) -> Int? {
    guard sections.indices.contains(path[0]), sections[path[0]].items.indices.contains(path[1])
    else { return nil }
    return sections[path[0]].items[path[1]]
  }

  private static func sections(_ value: Any?) -> [Section] {
    (value as? [Object] ?? []).map { section in
      let rows = section["outline"].map(rows)
      return Section(
        id: section["id"] as? String ?? "",
        items: rows.map(visible) ?? section["items"] as? [Int] ?? [],
        rows: rows)
    }
  }

  private static func rows(_ value: Any?) -> [Row] {
    (value as? [Object] ?? []).map { row in
      Row(
        id: row["id"] as? Int ?? -1, level: row["level"] as? Int ?? 0,
        expanded: row["expanded"] as? Bool ?? false, unloaded: row["unloaded"] as? Bool ?? false)
    }
  }

  /// The items whose ancestors are all expanded.
  private static func visible(_ rows: [Row]) -> [Int] {
    var shown = 0
    return rows.compactMap { row in
      guard row.level <= shown else { return nil }
      shown = row.expanded ? row.level + 1 : row.level
      return row.id
    }
  }
}

extension NaiveList {
  /// What a snapshot holds.
  init(_ snapshot: Snapshot<String, Int>) {
    sections = snapshot.sectionIdentifiers.map { id in
      let outline = snapshot.outline(ofSection: id)
      return Section(
        id: id, items: Array(snapshot.items(inSection: id)),
        rows: outline.map { outline in
          outline.items.map { item in
            var (level, ancestor) = (0, outline.parent(of: item))
            while let parent = ancestor {
              (level, ancestor) = (level + 1, outline.parent(of: parent))
            }
            return Row(
              id: item, level: level, expanded: outline.isExpanded(item),
              unloaded: outline.hasUnloadedChildren(item))
          }
        })
    }
  }
}
