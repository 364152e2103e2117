package import Diffable
package import DiffableTesting

/// What a view that stands in for a real one believes to show.
///
/// A real view knows counts and nothing else. So each section and each item gets a number when it
/// comes, and goes where the update says, as a view takes its cells along. `ListSimulator` judges the
/// update by these numbers: the rules are written down there and nowhere else.
package struct ShownList: Sendable {
  package struct Section: Sendable {
    package var id: Int
    package var items: [Int]
  }

  package private(set) var sections: [Section] = []
  private var nextID = 0

  package init() {}

  package var itemCounts: [Int] { sections.map(\.items.count) }

  package func id(at path: ItemPath) -> Int? {
    guard sections.indices.contains(path.section),
      sections[path.section].items.indices.contains(path.item)
    else { return nil }
    return sections[path.section].items[path.item]
  }

  /// Where an item is.
  ///
  /// A stand-in is slow and simple.
  package func path(of id: Int) -> ItemPath? {
    for (section, content) in sections.enumerated() {
      if let item = content.items.firstIndex(of: id) {
        return ItemPath(section: section, item: item)
      }
    }
    return nil
  }

  /// The item after the one at a path.
  package func id(after path: ItemPath) -> Int? {
    guard sections.indices.contains(path.section) else { return nil }
    return sections[path.section].items.dropFirst(path.item + 1).first
      ?? sections.dropFirst(path.section + 1).lazy.compactMap(\.items.first).first
  }

  package func index(ofSection id: Int) -> Int? { sections.firstIndex { $0.id == id } }

  package var itemIDs: Set<Int> { Set(sections.flatMap(\.items)) }

  /// Believes the data source that there is nothing else but this.
  package mutating func reset(to counts: [Int]) {
    sections = counts.map { count in
      Section(id: fresh(), items: (0..<count).map { _ in fresh() })
    }
  }

  private mutating func fresh() -> Int {
    nextID += 1
    return nextID
  }
}

extension ShownList {
  /// What an update has done.
  package struct Outcome: Sendable {
    /// What a real view raises, or what is known to break one.
    package var exceptions: [StandInException] = []
    /// The items, and the sections, whose views are made anew although they stay.
    package var renewedItems: Set<Int> = []
    package var renewedSections: Set<Int> = []
  }

  /// Performs calls as one update.
  ///
  /// - Parameters:
  ///   - operations: The calls, in any order.
  ///   - before: What the data source answered before them.
  ///   - after: What it answers now.
  package mutating func perform(
    _ operations: [ListOperation], of profile: ListProfile, before: [Int], after: [Int],
    isInWindow: Bool, isLaidOut: Bool = true
  ) -> Outcome {
    var simulator = ListSimulator(showing: snapshot, profile: profile)
    simulator.isInWindow = isInWindow
    simulator.isLaidOut = isLaidOut
    var model: Snapshot<Int, Int>?
    if before != itemCounts {
      var list = self
      list.reset(to: before)
      model = list.snapshot
    }
    let old = self
    follow(operations, to: after)
    var outcome = Outcome()
    outcome.exceptions = simulator.perform(operations, from: model, to: snapshot).map {
      StandInException($0, of: operations, from: old.itemCounts, to: after)
    }
    for operation in operations {
      switch operation {
      case .reloadItem(let path):
        if let id = old.id(at: path) { outcome.renewedItems.insert(id) }
      case .reloadSection(let index) where old.sections.indices.contains(index):
        outcome.renewedSections.insert(old.sections[index].id)
        outcome.renewedItems.formUnion(old.sections[index].items)
      default: break
      }
    }
    return outcome
  }

  private var snapshot: Snapshot<Int, Int> {
    var snapshot = Snapshot<Int, Int>()
    snapshot.appendSections(sections.map(\.id))
    // The numbers are unique, and the section is there.
    for section in sections { try? snapshot.appendItems(section.items, toSection: section.id) }
    return snapshot
  }

  /// Takes everything where the calls say, and fills up as counts demand.
  private mutating func follow(_ operations: [ListOperation], to counts: [Int]) {
    let old = sections
    var staying = Set(old.indices)
    var origins: [Int?] = counts.map { _ in nil }
    var isFree = counts.map { _ in true }
    for operation in operations {
      switch operation {
      case .deleteSection(let index): staying.remove(index)
      case .insertSection(let index) where isFree.indices.contains(index): isFree[index] = false
      case .moveSection(let move)
      where old.indices.contains(move.from) && isFree.indices.contains(move.to):
        staying.remove(move.from)
        (origins[move.to], isFree[move.to]) = (move.from, false)
      default: break
      }
    }
    var survivors = staying.sorted().makeIterator()
    for index in counts.indices where isFree[index] { origins[index] = survivors.next() }

    var leaving: Set<ItemPath> = []
    var entering: [ItemPath: Int?] = [:]
    for operation in operations {
      switch operation {
      case .deleteItem(let path): leaving.insert(path)
      case .insertItem(let path): entering[path] = .some(nil)
      case .moveItem(let move):
        leaving.insert(move.from)
        entering[move.to] = .some(id(at: move.from))
      default: break
      }
    }
    sections = counts.indices.map { index in
      let origin = origins[index].map { ($0, old[$0]) }
      var remaining =
        (origin.map { origin in
          origin.1.items.indices
            .filter { !leaving.contains(ItemPath(section: origin.0, item: $0)) }
            .map { origin.1.items[$0] }
        } ?? []).makeIterator()
      let items = (0..<counts[index]).map { item in
        if let arrival = entering[ItemPath(section: index, item: item)] {
          return arrival ?? fresh()
        }
        return remaining.next() ?? fresh()
      }
      return Section(id: origin?.1.id ?? fresh(), items: items)
    }
  }
}
