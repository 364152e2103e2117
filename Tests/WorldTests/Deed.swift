/// One thing that a writer does to a list, with the identifiers that are meant.
///
/// The world does it to arrays here, and to the product in `Deed+Product.swift`.
enum Deed: Hashable, Sendable {
  case insert([Card], before: Int)
  case insertAfter([Card], Int)
  case append([Card], to: Shelf)
  case delete([Int])
  case moveBefore(Int, Int)
  case moveAfter(Int, Int)
  case moveInto(Int, Int)
  case moveToSection(Int, Shelf)
  case rename(Int, to: Card)
  case set(Card)
  case setHeader(String?, Shelf)
  case mark([Int], reload: Bool)
  case markSection(Shelf, reload: Bool)
  case addSection(Shelf, before: Shelf?)
  case deleteSection(Shelf)
  case moveSection(Shelf, before: Shelf)
  /// Makes a tree of a section: the level of each of its rows. All other rows are roots.
  case tree(Shelf, [Int: Int])
  case flatten(Shelf)
  case fold(Int, isExpanded: Bool)
  case keepLast(Int, in: Shelf)
  case deleteWhere([Int])
  case upsert([Card], to: Shelf)
  /// Gives a list its rows.
  case replace([Sprout], in: Shelf)
  /// Gives a row of a tree all that is below it.
  case grow([Sprout], below: Int)
  /// Gives a section a tree.
  case outline([Sprout], in: Shelf, keepsExpansion: Bool)
  case addSectionAfter(Shelf, Shelf)
  case moveSectionAfter(Shelf, Shelf)
}

extension Deed {
  static func tree(_ shelf: Shelf, _ ids: [Int], _ levels: [Int]) -> Deed {
    .tree(shelf, Dictionary(zip(ids, levels)) { level, _ in level })
  }

  /// Whether a list that is given as a whole can say it: such a list keeps headers and trees.
  var isForOrders: Bool {
    switch self {
    case .setHeader, .flatten, .replace: false
    default: true
    }
  }

  /// Whether a copy of the order can have it, which has no headers.
  var isForCopies: Bool { if case .setHeader = self { false } else { true } }

  /// The section to which it gives all its rows, or all their levels.
  var givenShelf: Shelf? {
    switch self {
    case .keepLast(_, let shelf), .replace(_, let shelf), .outline(_, let shelf, _),
      .tree(let shelf, _):
      shelf
    default: nil
    }
  }

  var movesSection: Bool {
    switch self {
    case .moveSection, .moveSectionAfter: true
    default: false
    }
  }
}

extension PlainList {
  /// Does it in arrays.
  ///
  /// - Parameter soul: Makes a new soul.
  mutating func perform(_ deed: Deed, soul: () -> Int) {
    switch deed {
    case .insert(let cards, let anchor):
      guard let place = place(of: anchor) else { return }
      insert(cards, at: place, soul)
    case .insertAfter(let cards, let anchor):
      guard var place = place(of: anchor) else { return }
      // Behind the row on the screen.
      let shown = sections[place.section].shown
      place.row = shown.first { $0 > place.row } ?? sections[place.section].rows.count
      insert(cards, at: place, soul)
    case .append(let cards, let shelf):
      guard let section = section(of: shelf) else { return }
      insert(cards, at: Place(section: section, row: sections[section].rows.count), soul)
    case .delete(let ids):
      for id in ids { _ = takeSubtree(id) }
    case .moveBefore(let id, let anchor): move(id, beside: anchor) { .init(before: $0) }
    case .moveAfter(let id, let anchor): move(id, beside: anchor) { .init(after: $0) }
    case .moveInto(let id, let anchor): move(id, beside: anchor) { .init(into: $0) }
    case .moveToSection(let id, let shelf):
      guard let section = section(of: shelf) else { return }
      if let last = sections[section].rows.last(where: { $0.level == 0 }) {
        move(id, beside: last.id) { .init(after: $0) }
      } else {
        let rows = takeSubtree(id)
        sections[section].rows = sections[section].isTree ? rows : rows.prefix(1).map(\.plain)
      }
    case .rename(let id, let card):
      guard let place = place(of: id) else { return }
      self[place].card = card
    case .set(let card):
      guard let place = place(of: card.id) else { return }
      self[place].card = card
    case .setHeader(let header, let shelf):
      guard let section = section(of: shelf) else { return }
      sections[section].header = header
    case .mark, .markSection: break
    case .addSection(let shelf, let anchor):
      let index = anchor.flatMap(section(of:)) ?? sections.count
      sections.insert(Section(shelf: shelf), at: index)
    case .deleteSection(let shelf): sections.removeAll { $0.shelf == shelf }
    case .moveSection(let shelf, let anchor):
      guard shelf != anchor, let old = section(of: shelf) else { return }
      let moved = sections.remove(at: old)
      sections.insert(moved, at: section(of: anchor) ?? sections.count)
    case .tree(let shelf, let levels):
      guard let section = section(of: shelf) else { return }
      sections[section].isTree = true
      for (index, row) in sections[section].rows.enumerated() {
        sections[section].rows[index].level = levels[row.id] ?? 0
      }
    case .flatten(let shelf):
      guard let section = section(of: shelf) else { return }
      sections[section].rows = sections[section].shown.map { sections[section].rows[$0].plain }
      sections[section].isTree = false
    case .fold(let id, let isExpanded):
      guard let place = place(of: id), sections[place.section].isTree else { return }
      self[place].isExpanded = isExpanded
    case .keepLast(let count, let shelf):
      guard let section = section(of: shelf) else { return }
      for id in sections[section].shownIDs.dropLast(count) { _ = takeSubtree(id) }
    case .deleteWhere(let ids):
      for id in ids { _ = takeSubtree(id) }
    case .upsert(let cards, let shelf):
      guard let section = section(of: shelf) else { return }
      let new = cards.filter { place(of: $0.id) == nil }
      for card in cards { place(of: card.id).map { self[$0].card = card } }
      insert(new, at: Place(section: section, row: sections[section].rows.count), soul)
    case .replace(let sprouts, let shelf):
      guard let section = section(of: shelf) else { return }
      sections[section].rows = rows(sprouts, of: section, soul).map(\.plain)
    case .grow(let sprouts, let id):
      guard let place = place(of: id), sections[place.section].isTree else { return }
      let new = rows(sprouts, of: place.section, soul).map { row in
        var row = row
        row.level += self[place].level + 1
        return row
      }
      let below = sections[place.section].subtree(at: place.row).dropFirst()
      sections[place.section].rows.replaceSubrange(below, with: new)
    case .outline(let sprouts, let shelf, let keepsExpansion):
      guard let section = section(of: shelf) else { return }
      let (old, wasTree) = (sections[section].rows, sections[section].isTree)
      sections[section].rows = rows(sprouts, of: section, soul)
      sections[section].isTree = true
      guard keepsExpansion, wasTree else { return }
      for index in sections[section].rows.indices {
        let former = old.first { $0.id == sections[section].rows[index].id }
        if let former { sections[section].rows[index].isExpanded = former.isExpanded }
      }
    case .addSectionAfter(let shelf, let anchor):
      guard let index = section(of: anchor) else { return }
      sections.insert(Section(shelf: shelf), at: index + 1)
    case .moveSectionAfter(let shelf, let anchor):
      guard shelf != anchor, let old = section(of: shelf) else { return }
      let moved = sections.remove(at: old)
      sections.insert(moved, at: section(of: anchor).map { $0 + 1 } ?? sections.count)
    }
  }

  /// The rows that are given; one that the section has is the same row.
  private func rows(_ sprouts: [Sprout], of section: Int, _ soul: () -> Int) -> [Row] {
    sprouts.map { sprout in
      let known = sections[section].rows.first { $0.id == sprout.card.id }
      return Row(
        soul: known?.soul ?? soul(), card: sprout.card, level: sprout.level,
        isExpanded: sprout.isExpanded)
    }
  }

  /// Inserts new rows before a place; in a tree after the row above it and all below that.
  private mutating func insert(_ cards: [Card], at place: Place, _ soul: () -> Int) {
    var (row, level) = (place.row, 0)
    if sections[place.section].isTree {
      row = 0
      if let above = sections[place.section].shown.last(where: { $0 < place.row }) {
        row = sections[place.section].subtree(at: above).upperBound
        level = sections[place.section].rows[above].level
      }
    }
    sections[place.section].rows.insert(
      contentsOf: cards.map { Row(soul: soul(), card: $0, level: level) }, at: row)
  }

  /// Removes a row with all below it; the first one has level 0 then.
  private mutating func takeSubtree(_ id: Int) -> [Row] {
    guard let place = place(of: id) else { return [] }
    let range = sections[place.section].subtree(at: place.row)
    let level = self[place].level
    let taken = sections[place.section].rows[range].map { row in
      var row = row
      row.level -= level
      return row
    }
    sections[place.section].rows.removeSubrange(range)
    return taken
  }

  private mutating func move(
    _ id: Int, beside anchor: Int, _ target: (TreePlace) -> TreePlace.Target
  ) {
    guard id != anchor, let origin = place(of: id), place(of: anchor) != nil else { return }
    var rows = takeSubtree(id)
    guard let place = place(of: anchor) else { return }
    let section = sections[place.section]
    let target = target(TreePlace(section: section, row: place.row))
    if !section.isTree {
      rows = rows.prefix(1).map(\.plain)
    } else if !sections[origin.section].isTree {
      rows = rows.map(\.plain)
    }
    for index in rows.indices { rows[index].level += section.isTree ? target.level : 0 }
    sections[place.section].rows.insert(contentsOf: rows, at: target.row)
  }
}

/// A row of a section, and where rows go that are put beside it.
struct TreePlace {
  let section: Section
  let row: Int

  struct Target {
    var row: Int
    var level: Int

    init(before place: TreePlace) {
      (row, level) = (place.row, place.section.rows[place.row].level)
    }

    init(after place: TreePlace) {
      row = place.section.subtree(at: place.row).upperBound
      level = place.section.rows[place.row].level
    }

    init(into place: TreePlace) {
      row = place.section.subtree(at: place.row).upperBound
      level = place.section.rows[place.row].level + 1
    }
  }
}

extension Row {
  /// The same in a list without a tree.
  var plain: Row { Row(soul: soul, card: card) }
}
