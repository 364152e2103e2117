import Diffable
import DiffableTesting

/// Random edits of lists and outlines of identifiers that break a law.
struct LawlessScript {
  typealias State = Snapshot<Lawless, Lawless>
  typealias Edit = @Sendable (inout State) throws -> Void

  let law: BrokenLaw
  let sectionLaw: BrokenLaw
  let effort = Effort()
  var random: SplitMix64
  private var next = 100

  init(_ law: BrokenLaw, sections: BrokenLaw, seed: UInt64) {
    self.law = law
    sectionLaw = sections
    random = SplitMix64(seed: seed)
  }

  func item(_ number: Int) -> Lawless { Lawless(number: number, law: law, effort: effort) }

  func section(_ number: Int) -> Lawless {
    Lawless(number: number, law: sectionLaw, effort: effort)
  }

  /// A few items, mostly new ones.
  mutating func items() -> [Lawless] {
    (0..<random.number(below: 6)).map { _ in
      next += 1
      return item(random.chance(oneIn: 8) ? random.number(below: next) : next)
    }
  }

  mutating func outline() -> Outline<Lawless> {
    var outline = Outline<Lawless>()
    for item in items() + items() {
      let parent = random.chance(oneIn: 2) ? random.element(of: outline.items) : nil
      try? outline.append([item], to: parent)
      if random.chance(oneIn: 2) { outline.expand([item]) }
    }
    return outline
  }

  /// A list of a few sections.
  mutating func state() -> State {
    var state = State()
    for number in 0..<3 {
      let section = section(number)
      state.appendSections([section])
      if random.chance(oneIn: 2) {
        try? state.setOutline(outline(), forSection: section)
      } else {
        try? state.appendItems(items() + items(), toSection: section)
      }
    }
    return state
  }

  /// An edit of a state, which may throw.
  mutating func edit(of state: State) -> Edit {
    let all = state.sectionIdentifiers.indices.flatMap { index in
      state.outline(ofSectionAt: index)?.items ?? Array(state.items(inSectionAt: index))
    }
    let new = items()
    let (some, old) = (random.sample(all, oneIn: 4), random.element(of: all) ?? item(0))
    let anchor = random.element(of: state.itemIdentifiers) ?? item(1)
    let section = random.element(of: state.sectionIdentifiers) ?? section(0)
    let (outline, other) = (outline(), self.section(random.number(below: 5)))
    let remainder = random.number(below: 4)
    if all.count > 60 { return { $0.deleteItems { $0.number % 2 == 0 } } }
    switch random.number(below: 20) {
    case 0: return { $0.appendSections([other]) }
    case 1: return { try $0.moveSection(section, afterSection: other) }
    case 2 where remainder == 0: return { $0.deleteSections([section]) }
    case 3: return { try $0.appendItems(new, toSection: section) }
    case 4: return { try $0.insertItems(new, beforeItem: anchor) }
    case 5: return { try $0.insertItems(new, afterItem: old) }
    case 6, 7: return { $0.deleteItems(some) }
    case 8: return { $0.deleteItems { $0.number % 4 == remainder } }
    case 9: return { try $0.moveItem(old, beforeItem: anchor) }
    case 10: return { try $0.moveItem(anchor, afterItem: old) }
    case 11:
      let list = random.shuffled(random.sample(state.itemIdentifiers, oneIn: 2) + new)
      return { try $0.replaceItems(inSection: section, with: list) }
    case 12: return { try $0.setOutline(outline, forSection: section) }
    case 13: return { try $0.removeOutline(ofSection: section) }
    case 14: return { $0.expandItems(some + [old]) }
    case 15: return { $0.collapseItems(some + [old]) }
    case 16: return { try $0.replaceItems(childrenOf: old, using: outline) }
    case 17:
      return {
        try $0.reloadItems([old])
        try $0.reconfigureItems(some)
      }
    case 18: return { try $0.appendItems(new, toItem: old) }
    default: return outlineEdit(of: section, remainder, old, anchor, some, new)
    }
  }

  /// An edit of the outline itself, which then is put in the place of the old one.
  private mutating func outlineEdit(
    of section: Lawless, _ kind: Int, _ old: Lawless, _ anchor: Lawless, _ some: [Lawless],
    _ new: [Lawless]
  ) -> Edit {
    let keeps = random.chance(oneIn: 2)
    return { state in
      guard var outline = state.outline(ofSection: section) else { return }
      switch kind {
      case 0: outline.delete(some)
      case 1: try outline.move(old, after: anchor)
      case 2: try outline.insert(new, before: anchor)
      default:
        outline.expand(some)
        outline.collapse([old])
        outline.setChildrenUnloaded(of: new + [old])
      }
      try state.setOutline(outline, forSection: section, keepingExpansion: keeps)
    }
  }
}

extension Snapshot<Lawless, Lawless> {
  /// The number of rows, hidden ones too.
  var rowCount: Int {
    sectionIdentifiers.indices.reduce(0) { count, index in
      count + (outline(ofSectionAt: index)?.count ?? items(inSectionAt: index).count)
    }
  }

  /// Everything by which a state contradicts itself, looked at in order alone.
  func contradictions(under law: BrokenLaw) -> [String] {
    var faults: [String] = []
    var total = 0
    for index in 0..<numberOfSections {
      let shown = items(inSectionAt: index).map(\.number)
      total += shown.count
      for (place, number) in shown.enumerated()
      where itemIdentifier(for: ItemPath(section: index, item: place))?.number != number {
        faults.append("section \(index) has another item at \(place)")
      }
      guard let outline = outline(ofSectionAt: index) else { continue }
      let visible = outline.visibleItems.map(\.number)
      // What is equal can be exchanged at any time.
      let isSame = law.tellsApart ? visible == shown : visible.count == shown.count
      if !isSame { faults.append("section \(index) shows \(shown), not \(visible)") }
      if outline.items.count != outline.count { faults.append("section \(index) counts wrong") }
    }
    if total != numberOfItems { faults.append("\(numberOfItems) items, not \(total)") }
    if itemIdentifiers.count != total { faults.append("lists \(itemIdentifiers.count) items") }
    if sectionIdentifiers.count != numberOfSections { faults.append("counts sections wrong") }
    return faults
  }
}
