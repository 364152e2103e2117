import Diffable

/// What a list view would make of a batch: rows are taken out, put in and moved.
struct PlainReplay {
  /// The identifiers of the shown rows, by section; a row that went wrong has none.
  private(set) var ids: [[Int?]] = []
  /// Rows that leave and rows that come, by identifiers.
  private(set) var deleted: [Int] = []
  private(set) var inserted: [Int] = []
  /// Rows that come with their section, and that go with it.
  private(set) var arrived: Set<Int> = []
  private(set) var removed: Set<Int> = []

  init(_ old: PlainList, _ batch: PlainBatch) {
    let difference = batch.difference
    let new = batch.list.sections.map(\.shownIDs)
    ids = new.map { [Int?](repeating: nil, count: $0.count) }
    // Sections that are not mentioned fill what is left in their order.
    var target: [Int: Int] = [:]
    for move in difference.sectionMoves { target[move.from] = move.to }
    var free = new.indices.filter { section in
      !difference.sectionInserts.contains(section)
        && !difference.sectionMoves.contains { $0.to == section }
    }[...]
    for section in old.sections.indices
    where target[section] == nil && !difference.sectionDeletes.contains(section) {
      target[section] = free.popFirst()
    }
    var taken = Set(difference.itemInserts)
    var names: [Int: Int] = [:]
    for rename in batch.renames { names[rename.old] = rename.new }
    func put(_ id: Int, _ path: ItemPath) {
      guard ids.indices.contains(path.section), ids[path.section].indices.contains(path.item) else {
        return
      }
      let isRenamed = difference.itemRenames.contains(path)
      ids[path.section][path.item] = isRenamed ? new[path.section][path.item] : id
    }
    let moves = Dictionary(difference.itemMoves.map { ($0.from, $0.to) }) { one, _ in one }
    taken.formUnion(moves.values)
    var rest: [Int: [Int]] = [:]
    for (section, list) in old.sections.enumerated() {
      for (item, row) in list.shownIDs.enumerated() {
        let path = ItemPath(section: section, item: item)
        if target[section] == nil {
          removed.insert(row)
        } else if let to = moves[path] {
          put(row, to)
        } else if let section = target[section], !difference.itemDeletes.contains(path) {
          rest[section, default: []].append(row)
        } else {
          deleted.append(row)
        }
      }
    }
    for section in new.indices {
      let isNew = difference.sectionInserts.contains(section)
      var rows = rest[section, default: []][...]
      for item in ids[section].indices {
        let path = ItemPath(section: section, item: item)
        if moves.values.contains(path) { continue }
        if isNew || taken.contains(path) {
          let id = new[section][item]
          ids[section][item] = id
          if isNew { arrived.insert(id) } else { inserted.append(id) }
        } else if let row = rows.popFirst() {
          put(row, path)
        }
      }
    }
  }
}
