import DiffableTesting

/// What a user does to a list, by positions: an edit means something in every state.
///
/// Positions are taken modulo what there is. So a program is still one if events are left out.
enum Edit: Hashable, Sendable {
  case insert(at: Int, count: Int)
  case insertAfter(at: Int)
  case append(section: Int, count: Int)
  case delete(at: Int, count: Int)
  case move(from: Int, before: Int)
  case moveAfter(from: Int, at: Int)
  case moveInto(from: Int, at: Int)
  case moveToSection(from: Int, section: Int)
  case rename(at: Int)
  /// Of all rows, those that a tree hides count too.
  case setText(at: Int, Int)
  case setRank(at: Int, Int)
  /// Changes a row that a tree hides, if there is one.
  case setHidden(at: Int, Int)
  case setHeader(section: Int, Int)
  case mark(at: Int, count: Int, reload: Bool)
  case markSection(Int, reload: Bool)
  case addSection(before: Int)
  case deleteSection(Int)
  case moveSection(from: Int, before: Int)
  case tree(section: Int)
  case flatten(section: Int)
  case fold(at: Int, isExpanded: Bool)

  // What gives many rows at once: see `Edit+Many.swift`.
  case keepLast(section: Int, leavingOut: Int)
  case deleteEvery(Int, from: Int)
  /// Models of some rows, and of one that is new.
  case upsert(at: Int, section: Int, count: Int)
  /// Other rows for a list, some of which it has already.
  case replace(section: Int, from: Int)
  /// Other rows below a row of a tree.
  case grow(at: Int, from: Int, count: Int)
  /// Another tree for a section.
  case outline(section: Int, from: Int, keepsExpansion: Bool)
  case addSectionAfter(Int)
  case moveSectionAfter(from: Int, at: Int)

  static func random(_ random: inout SplitMix64) -> Edit {
    let (at, other) = (random.number(below: 24), random.number(below: 24))
    let count = 1 + random.number(below: 3)
    return switch random.number(below: 38) {
    case 30: .keepLast(section: at, leavingOut: count)
    case 31: .deleteEvery(5 + other, from: at)
    case 32: .upsert(at: at, section: other, count: count)
    case 33: .replace(section: at, from: other)
    case 34, 35: .grow(at: at, from: other, count: count)
    case 36: .outline(section: at, from: other, keepsExpansion: random.chance(oneIn: 2))
    case 37:
      random.chance(oneIn: 2) ? .addSectionAfter(at) : .moveSectionAfter(from: at, at: other)
    case 0, 1: .insert(at: at, count: count)
    case 2: .insertAfter(at: at)
    case 3: .append(section: at, count: count)
    case 4, 5: .delete(at: at, count: count)
    case 6, 7, 8: .move(from: at, before: other)
    case 9, 10: .moveAfter(from: at, at: other)
    case 11: .moveInto(from: at, at: other)
    case 12: .moveToSection(from: at, section: other)
    case 13, 14: .rename(at: at)
    case 15, 16: .setText(at: at, other)
    case 17: .setRank(at: at, other % 5)
    case 18: .setHidden(at: at, other)
    case 19: .setHeader(section: at, other % 4)
    case 20, 21: .mark(at: at, count: count, reload: random.chance(oneIn: 2))
    case 22: .markSection(at, reload: random.chance(oneIn: 2))
    case 23: .addSection(before: at)
    case 24: random.chance(oneIn: 2) ? .deleteSection(at) : .moveSection(from: at, before: other)
    case 25: .moveSection(from: at, before: other)
    case 26, 27: .tree(section: at)
    case 28: random.chance(oneIn: 2) ? .flatten(section: at) : .fold(at: at, isExpanded: true)
    default: .fold(at: at, isExpanded: random.chance(oneIn: 2))
    }
  }
}

extension PlainList {
  /// What an edit means in this state; `nil` if it means nothing.
  ///
  /// - Parameter number: Makes the identifier of a new row or section.
  func deed(_ edit: Edit, number: () -> Int) -> Deed? {
    let shown = shownRows
    func row(_ at: Int) -> Row? { shown.isEmpty ? nil : shown[at % shown.count] }
    func any(_ at: Int) -> Row? { rows.isEmpty ? nil : rows[at % rows.count] }
    func section(_ at: Int) -> Section? { sections.isEmpty ? nil : sections[at % sections.count] }
    func cards(_ count: Int) -> [Card] { Card.fresh(count, number) }
    func isBelow(_ anchor: Row, _ row: Row) -> Bool {
      guard let place = place(of: row.id), let other = self.place(of: anchor.id) else {
        return true
      }
      return place.section == other.section
        && sections[place.section].subtree(at: place.row).contains(other.row)
    }
    func pair(_ from: Int, _ to: Int) -> (Int, Int)? {
      guard let row = row(from),
        let anchor = row.id == self.row(to)?.id ? self.row(to + 1) : self.row(to),
        !isBelow(anchor, row)
      else { return nil }
      return (row.id, anchor.id)
    }
    switch edit {
    case .insert(let at, let count): return row(at).map { .insert(cards(count), before: $0.id) }
    case .insertAfter(let at): return row(at).map { .insertAfter(cards(1), $0.id) }
    case .append(let at, let count): return section(at).map { .append(cards(count), to: $0.shelf) }
    case .delete(let at, let count):
      return shown.isEmpty
        ? nil : .delete((at % shown.count..<at % shown.count + count).compactMap { row($0)?.id })
    case .move(let from, let to): return pair(from, to).map { .moveBefore($0, $1) }
    case .moveAfter(let from, let at): return pair(from, at).map { .moveAfter($0, $1) }
    case .moveInto(let from, let at):
      guard let (id, anchor) = pair(from, at), let place = place(of: anchor),
        sections[place.section].isTree
      else { return nil }
      return .moveInto(id, anchor)
    case .moveToSection(let from, let at):
      guard let row = row(from), let section = section(at),
        section.rows.last(where: { $0.level == 0 }).map({ !isBelow($0, row) }) ?? true
      else { return nil }
      return .moveToSection(row.id, section.shelf)
    case .rename(let at):
      guard let row = any(at) else { return nil }
      var card = row.card
      card.rename(to: number())
      return .rename(row.id, to: card)
    case .setText(let at, let text):
      return any(at).map { .set(Card(id: $0.id, rank: $0.card.rank, text: text)) }
    case .setRank(let at, let rank):
      return any(at).map { .set(Card(id: $0.id, rank: rank, text: $0.card.text)) }
    case .setHidden(let at, let text):
      let hidden = rows.filter { row in !shown.contains { $0.id == row.id } }
      guard !hidden.isEmpty else { return nil }
      let row = hidden[at % hidden.count]
      return .set(Card(id: row.id, rank: row.card.rank, text: text))
    case .setHeader(let at, let text):
      return section(at).map { .setHeader(text == 0 ? nil : "title \(text)", $0.shelf) }
    case .mark(let at, let count, let reload):
      return shown.isEmpty
        ? nil
        : .mark(
          (at % shown.count..<at % shown.count + count).compactMap { row($0)?.id }, reload: reload)
    case .markSection(let at, let reload):
      return section(at).map { .markSection($0.shelf, reload: reload) }
    case .addSection(let at):
      let anchor = sections.indices.contains(at) ? sections[at].shelf : nil
      return sections.count > 5 ? nil : .addSection(Shelf(1000 + number()), before: anchor)
    case .deleteSection(let at):
      return sections.count < 2 ? nil : section(at).map { .deleteSection($0.shelf) }
    case .moveSection(let from, let to):
      guard let moved = section(from), let anchor = section(to), moved.shelf != anchor.shelf
      else { return nil }
      return .moveSection(moved.shelf, before: anchor.shelf)
    case .tree(let at):
      guard let section = section(at), !section.isTree else { return nil }
      return .tree(
        section.shelf, section.rows.map(\.id),
        section.rows.indices.map { $0 % 4 == 3 ? 0 : min($0 % 4, 2) })
    case .flatten(let at):
      guard let section = section(at), section.isTree else { return nil }
      return .flatten(section.shelf)
    case .fold(let at, let isExpanded):
      let foldable = sections.filter(\.isTree).flatMap { section in
        section.rows.indices.filter { section.hasChildren($0) }.map { section.rows[$0].id }
      }
      return foldable.isEmpty ? nil : .fold(foldable[at % foldable.count], isExpanded: isExpanded)
    case .keepLast, .deleteEvery, .upsert, .replace, .grow, .outline, .addSectionAfter,
      .moveSectionAfter:
      return deedOfMany(edit, number: number)
    }
  }
}
