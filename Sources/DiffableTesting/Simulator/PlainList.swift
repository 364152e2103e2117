import Diffable

/// A snapshot as plain arrays, read section by section.
///
/// Code that checks the library must not rely on its storage, its lookups or its replay.
struct PlainList<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable, Sendable {
  struct Section: Hashable, Sendable {
    var id: SectionID
    var items: [ItemID]
  }

  var sections: [Section] = []

  init(sections: [Section]) {
    self.sections = sections
  }

  init(_ snapshot: Snapshot<SectionID, ItemID>) {
    while let id = snapshot.sectionIdentifier(at: sections.count) {
      let items = Array(snapshot.items(inSectionAt: sections.count))
      sections.append(Section(id: id, items: items))
    }
  }

  var itemCounts: [Int] { sections.map(\.items.count) }

  func exists(_ position: ListOperation.Position) -> Bool {
    switch position {
    case .section(let index): sections.indices.contains(index)
    case .item(let path):
      sections.indices.contains(path.section)
        && sections[path.section].items.indices.contains(path.item)
    }
  }

  func identifier(at position: ListOperation.Position) -> AnyItemID? {
    guard exists(position) else { return nil }
    return switch position {
    case .section(let index): AnyItemID(sections[index].id)
    case .item(let path): AnyItemID(sections[path.section].items[path.item])
    }
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
}
