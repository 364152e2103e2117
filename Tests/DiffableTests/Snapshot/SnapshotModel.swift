import Diffable
import DiffableTesting

/// What a valid snapshot means, as arrays of arrays.
struct SnapshotModel {
  struct Section: Equatable {
    var id: Int
    var items: [Int]
  }

  var sections: [Section] = []
  var reloadedSections: [Int] = []
  var reconfiguredSections: [Int] = []
  var reloadedItems: [Int] = []
  var reconfiguredItems: [Int] = []

  var items: [Int] { sections.flatMap(\.items) }

  func index(of section: Int) -> Int? { sections.firstIndex { $0.id == section } }

  func path(of item: Int) -> ItemPath? {
    for (index, section) in sections.enumerated() {
      if let place = section.items.firstIndex(of: item) {
        return ItemPath(section: index, item: place)
      }
    }
    return nil
  }

  /// Edits the model; answers the code of the error where the edit is refused.
  mutating func apply(_ edit: SnapshotEdit<Int, Int>) -> String? {
    let before = self
    let error = edit.apply(to: &self)
    if error != nil { self = before }
    let (ids, left) = (Set(sections.map(\.id)), Set(items))
    reloadedSections.removeAll { !ids.contains($0) }
    reconfiguredSections.removeAll { !ids.contains($0) }
    reloadedItems.removeAll { !left.contains($0) }
    reconfiguredItems.removeAll { !left.contains($0) }
    return error
  }

  fileprivate mutating func insert(_ new: [Int], at index: Int) {
    sections.insert(contentsOf: new.map { Section(id: $0, items: []) }, at: index)
  }

  fileprivate mutating func insert(items: [Int], at path: ItemPath, offset: Int) {
    sections[path.section].items.insert(contentsOf: items, at: path.item + offset)
  }

  fileprivate mutating func move(section: Int, around anchor: Int, offset: Int) -> String? {
    guard let index = index(of: section), self.index(of: anchor) != nil else {
      return "unknownSection"
    }
    guard section != anchor else { return nil }
    let moved = sections.remove(at: index)
    sections.insert(moved, at: (self.index(of: anchor) ?? 0) + offset)
    return nil
  }

  fileprivate mutating func move(item: Int, around anchor: Int, offset: Int) -> String? {
    guard let path = path(of: item), self.path(of: anchor) != nil else { return "unknownItem" }
    guard item != anchor else { return nil }
    sections[path.section].items.remove(at: path.item)
    guard let target = self.path(of: anchor) else { return "unknownItem" }
    insert(items: [item], at: target, offset: offset)
    return nil
  }

  /// The marks of an item go on under another name, as the newest.
  fileprivate mutating func rename(_ item: Int, to new: Int) {
    for marks in [\SnapshotModel.reloadedItems, \.reconfiguredItems] {
      guard let index = self[keyPath: marks].firstIndex(of: item) else { continue }
      self[keyPath: marks].remove(at: index)
      self[keyPath: marks].append(new)
    }
  }

  fileprivate mutating func mark(sections: [Int], reload: Bool) -> String? {
    let isKnown = sections.allSatisfy { index(of: $0) != nil }
    if isKnown { mark(sections, \.reloadedSections, \.reconfiguredSections, reload) }
    return isKnown ? nil : "unknownSection"
  }

  fileprivate mutating func mark(items: [Int], reload: Bool) -> String? {
    let isKnown = items.allSatisfy { path(of: $0) != nil }
    if isKnown { mark(items, \.reloadedItems, \.reconfiguredItems, reload) }
    return isKnown ? nil : "unknownItem"
  }

  /// A reload wins over a reconfigure.
  private mutating func mark(
    _ ids: [Int], _ reloaded: WritableKeyPath<Self, [Int]>,
    _ reconfigured: WritableKeyPath<Self, [Int]>, _ reload: Bool
  ) {
    if reload { self[keyPath: reconfigured].removeAll(where: ids.contains) }
    let marks = reload ? reloaded : reconfigured
    for id in ids
    where !self[keyPath: reloaded].contains(id) && !self[keyPath: marks].contains(id) {
      self[keyPath: marks].append(id)
    }
  }

  fileprivate mutating func delete(items gone: [Int]) {
    for index in sections.indices { sections[index].items.removeAll(where: gone.contains) }
  }
}

extension SnapshotEdit<Int, Int> {
  fileprivate func apply(to model: inout SnapshotModel) -> String? {
    switch self {
    case .appendSections(let new):
      model.insert(new, at: model.sections.count)
    case .insertSectionsBefore(let new, let anchor):
      guard let index = model.index(of: anchor) else { return "unknownSection" }
      model.insert(new, at: index)
    case .insertSectionsAfter(let new, let anchor):
      guard let index = model.index(of: anchor) else { return "unknownSection" }
      model.insert(new, at: index + 1)
    case .deleteSections(let gone):
      model.sections.removeAll { gone.contains($0.id) }
    case .moveSectionBefore(let section, let anchor):
      return model.move(section: section, around: anchor, offset: 0)
    case .moveSectionAfter(let section, let anchor):
      return model.move(section: section, around: anchor, offset: 1)
    case .appendItems(let new, let section):
      guard !model.sections.isEmpty || section != nil else { return "noSections" }
      let last = model.sections.indices.last
      guard let index = section.map({ model.index(of: $0) }) ?? last else {
        return "unknownSection"
      }
      model.sections[index].items += new
    case .insertItemsBefore(let new, let anchor):
      guard let path = model.path(of: anchor) else { return "unknownItem" }
      model.insert(items: new, at: path, offset: 0)
    case .insertItemsAfter(let new, let anchor):
      guard let path = model.path(of: anchor) else { return "unknownItem" }
      model.insert(items: new, at: path, offset: 1)
    case .replaceItems(let section, let new):
      guard let index = model.index(of: section) else { return "unknownSection" }
      model.sections[index].items = new
    case .deleteItems(let gone), .deleteItemsWhere(let gone):
      model.delete(items: gone)
    case .keepLastItems(let count, let section):
      guard let index = model.index(of: section) else { return "unknownSection" }
      model.sections[index].items = model.sections[index].items.suffix(max(0, count))
    case .deleteAllItems:
      model = SnapshotModel()
    case .moveItemBefore(let item, let anchor):
      return model.move(item: item, around: anchor, offset: 0)
    case .moveItemAfter(let item, let anchor):
      return model.move(item: item, around: anchor, offset: 1)
    case .moveItemToSection(let item, let section):
      guard let index = model.index(of: section) else { return "unknownSection" }
      guard let path = model.path(of: item) else { return "unknownItem" }
      model.sections[path.section].items.remove(at: path.item)
      model.sections[index].items.append(item)
    case .renameItem(let item, let new):
      guard let path = model.path(of: item) else { return "unknownItem" }
      guard item != new else { return nil }
      guard model.path(of: new) == nil else { return "duplicateItems" }
      model.sections[path.section].items[path.item] = new
      model.rename(item, to: new)
    case .reloadSections(let sections): return model.mark(sections: sections, reload: true)
    case .reconfigureSections(let sections): return model.mark(sections: sections, reload: false)
    case .reloadItems(let items): return model.mark(items: items, reload: true)
    case .reconfigureItems(let items): return model.mark(items: items, reload: false)
    case .moveItemInto, .editOutline, .editOutlineKeepingExpansion, .replaceChildren,
      .removeOutline, .expandItems, .collapseItems:
      return "edits of outlines have a model of their own"
    }
    return nil
  }
}
