import Diffable

/// A row that a writer gives together with others.
struct Sprout: Hashable, Sendable {
  var card: Card
  var level = 0
  var isExpanded = false
  /// Whether the list does not have it yet.
  var isNew = false
}

extension Card {
  /// New cards.
  ///
  /// - Parameter number: Makes their identifiers.
  static func fresh(_ count: Int, _ number: () -> Int) -> [Card] {
    (0..<count).map { _ in
      let id = number()
      return Card(id: id, rank: id * 7 % 5, text: id % 3)
    }
  }
}

extension PlainList {
  /// What an edit means in this state that gives or takes many rows at once.
  func deedOfMany(_ edit: Edit, number: () -> Int) -> Deed? {
    func section(_ at: Int) -> Section? { sections.isEmpty ? nil : sections[at % sections.count] }
    switch edit {
    case .keepLast(let at, let count):
      guard let section = section(at), section.shown.count >= count else { return nil }
      return .keepLast(section.shown.count - count, in: section.shelf)
    case .deleteEvery(let distance, let from):
      let gone = rows.indices.filter { $0 % distance == from % distance }.map { rows[$0].id }
      return gone.isEmpty ? nil : .deleteWhere(gone)
    case .upsert(let at, let target, let count):
      guard let section = section(target) else { return nil }
      let known = rows.isEmpty ? [] : (at..<at + count).map { rows[$0 % rows.count].card }
      return .upsert(
        known.map { Card(id: $0.id, rank: $0.rank, text: $0.text + 1) } + Card.fresh(1, number),
        to: section.shelf)
    case .replace(let at, let from):
      guard let section = section(at), !section.isTree else { return nil }
      let sprouts = Self.sprouts(section.rows.map(\.plain), from, number)
      return .replace(sprouts, in: section.shelf)
    case .grow(let at, let from, let count):
      let trees = sections.filter(\.isTree).filter { !$0.rows.isEmpty }
      guard !trees.isEmpty else { return nil }
      let tree = trees[from % trees.count]
      let row = at % tree.rows.count
      let below = Array(tree.rows[tree.subtree(at: row).dropFirst()])
      return .grow(
        Self.sprouts(below, from, number, adding: count).nested(from), below: tree.rows[row].id)
    case .outline(let at, let from, let keepsExpansion):
      guard let section = section(at) else { return nil }
      return .outline(
        Self.sprouts(section.rows, from, number).nested(from), in: section.shelf,
        keepsExpansion: keepsExpansion)
    case .addSectionAfter(let at):
      guard let anchor = section(at), sections.count <= 5 else { return nil }
      return .addSectionAfter(Shelf(1000 + number()), anchor.shelf)
    case .moveSectionAfter(let from, let at):
      guard let moved = section(from), let anchor = section(at), moved.shelf != anchor.shelf
      else { return nil }
      return .moveSectionAfter(moved.shelf, anchor.shelf)
    default: return nil
    }
  }

  /// Rows in another order, mostly without one of them, and with new ones.
  private static func sprouts(
    _ rows: [Row], _ from: Int, _ number: () -> Int, adding count: Int = 1
  ) -> [Sprout] {
    var all = rows.map { Sprout(card: $0.card, level: $0.level, isExpanded: $0.isExpanded) }
    if !all.isEmpty {
      let first = from % 4 == 0 ? 0 : from % all.count
      all = Array(all[first...] + all[..<first])
      if from % 3 > 0 { all.removeLast() }
    }
    let new = Card.fresh(count, number).map { Sprout(card: $0, isNew: true) }
    all.insert(contentsOf: new, at: from % (all.count + 1))
    return all
  }
}

extension PlainList {
  /// Another list: every so many rows are left out, the rest is turned round, new ones come.
  ///
  /// - Parameter spared: The names of rows that stay where they are.
  func rearranged(
    leavingOut: Int, reversed: Bool, inserting: Int, sparing spared: Range<Int> = 0..<0,
    number: () -> Int
  ) -> PlainList {
    var after = self
    // A list that is given for a tree is for what the tree shows.
    for index in sections.indices where !sections[index].isTree {
      let isFixed = sections[index].rows.contains { spared.contains($0.id) }
      var rows = sections[index].rows.enumerated().filter {
        ($0.offset + 1) % leavingOut != 0 || spared.contains($0.element.id)
      }.map(\.element)
      if reversed, !isFixed { rows.reverse() }
      if index == 0 {
        let new = Card.fresh(inserting, number).map { Row(soul: number(), card: $0) }
        rows.insert(contentsOf: new, at: isFixed ? rows.count / 2 : rows.count)
      }
      after.sections[index].rows = rows
    }
    return after
  }
}

extension CardState {
  /// What a list shows, to be given as a whole.
  init(whole list: PlainList) throws {
    self.init()
    appendSections(list.sections.map(\.shelf))
    for section in list.sections { try appendItems(section.shownIDs, toSection: section.shelf) }
  }
}

extension [Sprout] {
  /// The same as a tree, in which rows are deeper and folded by a pattern.
  fileprivate func nested(_ pattern: Int) -> [Sprout] {
    var (result, deepest) = (self, 0)
    for index in indices {
      result[index].level = Swift.min((index + pattern) * 5 % 4, deepest)
      result[index].isExpanded = (index * 3 + pattern) % 4 > 0
      deepest = result[index].level + 1
    }
    return result
  }
}

extension [Edit] {
  /// Those whose rows are known wherever they run again: which of its own rows are the last ones, an edit
  /// cannot know before.
  var forRunningAgain: [Edit] {
    enumerated().filter { index, edit in
      if case .keepLast = edit { index == 0 } else { true }
    }.map(\.element)
  }
}
