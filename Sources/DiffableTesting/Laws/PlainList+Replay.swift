import Diffable

extension PlainList {
  /// Replays a difference by the definition of its positions; `nil` if it does not fit.
  func replaying(_ difference: SnapshotDifference, insertsFrom target: PlainList) -> PlainList? {
    let origins = Self.origins(
      oldCount: sections.count,
      deletes: difference.sectionDeletes.ranges.flatMap { Array($0) },
      inserts: difference.sectionInserts.ranges.flatMap { Array($0) },
      moves: difference.sectionMoves.map { ($0.from, $0.to) })
    guard let origins else { return nil }
    var result = PlainList(sections: [])
    for (index, origin) in origins.enumerated() {
      guard let origin else {
        guard target.sections.indices.contains(index) else { return nil }
        result.sections.append(target.sections[index])
        continue
      }
      guard let items = items(of: origin, at: index, difference, insertsFrom: target) else {
        return nil
      }
      result.sections.append(Section(id: sections[origin].id, items: items))
    }
    return result
  }

  private func items(
    of old: Int, at new: Int, _ difference: SnapshotDifference, insertsFrom target: PlainList
  ) -> [ItemID]? {
    let leaving = difference.itemMoves.filter { $0.from.section == old }
    let entering = difference.itemMoves.filter { $0.to.section == new }
    let inserts = difference.itemInserts.filter { $0.section == new }
    let origins = Self.origins(
      oldCount: sections[old].items.count,
      deletes: difference.itemDeletes.filter { $0.section == old }.map(\.item)
        + leaving.map(\.from.item),
      inserts: inserts.map(\.item) + entering.map(\.to.item), moves: [])
    guard let origins else { return nil }
    var result: [ItemID] = []
    for (index, origin) in origins.enumerated() {
      if let origin {
        result.append(sections[old].items[origin])
      } else if let move = entering.first(where: { $0.to.item == index }) {
        guard exists(.item(move.from)) else { return nil }
        result.append(sections[move.from.section].items[move.from.item])
      } else {
        let path = ItemPath(section: new, item: index)
        guard target.exists(.item(path)) else { return nil }
        result.append(target.sections[new].items[index])
      }
    }
    for path in difference.itemRenames where path.section == new {
      guard target.exists(.item(path)), result.indices.contains(path.item) else { return nil }
      result[path.item] = target.sections[new].items[path.item]
    }
    return result
  }

  /// This list with the new identifiers of items that a difference renames.
  func renamed(by difference: SnapshotDifference, as target: PlainList) -> PlainList {
    let map = PositionMap(difference)
    var result = self
    for path in difference.itemRenames {
      guard let old = map.oldPath(forNew: path), exists(.item(old)), target.exists(.item(path))
      else { continue }
      result.sections[old.section].items[old.item] = target.sections[path.section].items[path.item]
    }
    return result
  }

  /// The old index by new index; `nil` for an inserted element.
  private static func origins(
    oldCount: Int, deletes: [Int], inserts: [Int], moves: [(from: Int, to: Int)]
  ) -> [Int?]? {
    let gone = Set(deletes).union(moves.map(\.from))
    let taken = Set(inserts).union(moves.map(\.to))
    let newCount = oldCount - deletes.count + inserts.count
    guard gone.count == deletes.count + moves.count, taken.count == inserts.count + moves.count,
      gone.allSatisfy((0..<oldCount).contains), newCount >= 0,
      taken.allSatisfy((0..<newCount).contains)
    else { return nil }
    var staying = (0..<oldCount).filter { !gone.contains($0) }.makeIterator()
    return (0..<newCount).map { index in
      if let move = moves.first(where: { $0.to == index }) { return move.from }
      return taken.contains(index) ? nil : staying.next()
    }
  }
}
