import Diffable

/// A snapshot as plain arrays, read position by position.
///
/// What checks the library must not rely on its storage, its lookups or its replay.
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
      var section = Section(id: id, items: [])
      var path = ItemPath(section: sections.count, item: 0)
      while let item = snapshot.itemIdentifier(for: path) {
        section.items.append(item)
        path.item += 1
      }
      sections.append(section)
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

  func identifier(at position: ListOperation.Position) -> AnyIdentifier? {
    guard exists(position) else { return nil }
    return switch position {
    case .section(let index): AnyIdentifier(sections[index].id)
    case .item(let path): AnyIdentifier(sections[path.section].items[path.item])
    }
  }
}
