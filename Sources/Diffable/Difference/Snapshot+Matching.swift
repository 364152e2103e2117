extension Snapshot {
  /// Finds which sections and items of two valid snapshots are the same.
  func correspondence(from old: Snapshot) -> Correspondence {
    var result = Correspondence()
    result.sectionCounts = (old.sections.count, sections.count)
    let oldIndices = Dictionary(
      uniqueKeysWithValues: old.sections.enumerated().map { ($1.id, $0) })
    var oldIsKept = Array(repeating: false, count: old.sections.count)
    var pairs: [(old: Int, new: Int)] = []
    for (new, section) in sections.enumerated() {
      guard let index = oldIndices[section.id] else { continue }
      oldIsKept[index] = true
      result.sections.appendMatch(old: index, new: new)
      if old.sections[index].items != section.items { pairs.append((index, new)) }
    }
    var paths: [ItemID: ItemPath] = [:]
    for (old, items) in zip(old.sections.indices, old.sections) where oldIsKept[old] {
      for (index, item) in items.items.enumerated() {
        paths[item] = ItemPath(section: old, item: index)
      }
    }
    for (oldSection, newSection) in pairs {
      var changed = Correspondence.ChangedSection(
        old: oldSection, new: newSection,
        counts: (old.sections[oldSection].items.count, sections[newSection].items.count))
      for (index, item) in sections[newSection].items.enumerated() {
        guard let path = paths[item] else { continue }
        if path.section == oldSection {
          changed.runs.appendMatch(old: path.item, new: index)
        } else {
          result.migrations.append(
            .init(from: path, to: ItemPath(section: newSection, item: index), count: 1))
        }
      }
      result.changed.append(changed)
    }
    return result
  }
}
