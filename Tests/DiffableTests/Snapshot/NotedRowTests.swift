import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// Marks, names and places that a writer has noted, for rows of lists and outlines, hidden ones too.
@Suite("What is noted of a row goes where the row goes, and ends with it")
struct NotedRowTests {
  private typealias List = Snapshot<Int, Int>

  /// What a writer has said of one row.
  private struct Notes: Equatable {
    /// Its name at first, if that is another one.
    var former: Int?
    var isReloaded = false
    var isReconfigured = false
    var isPlaced = false
  }

  /// A list, and beside it the notes by the names that rows have now.
  private struct Writer {
    var list = List()
    var notes: [Int: Notes] = [:]
    var reloadedSections: Set<Int> = []
    var placedSections: Set<Int> = []
    var random: SplitMix64

    init(seed: UInt64) throws {
      random = SplitMix64(seed: seed)
      list.appendSections([0, 1, 2])
      try list.appendItems(0..<4, toSection: 0)
      try list.setOutline(random.outline(of: [4, 5, 6, 7]), forSection: 1)
    }

    /// Some of the rows of a section, and some that are not in the list.
    mutating func someRows(ofSection section: Int) -> [Int] {
      let own =
        list.outline(ofSection: section)?.items ?? list.itemIdentifiers(inSection: section)
      let all = own + (0..<12).filter { !list.containsItem($0) }
      return random.sample(random.shuffled(all), oneIn: 2)
    }

    mutating func edit() throws {
      let row = random.element(of: list.allItems) ?? 0
      let other = random.element(of: list.allItems) ?? 0
      let section = random.element(of: list.sectionIdentifiers) ?? 0
      let name = random.number(below: 12)
      switch random.number(below: 19) {
      case 0, 1, 2: return try rename(row, to: name)
      case 3: return try mark(random.sample(list.allItems, oneIn: 3), isReload: true)
      case 4: return try mark(random.sample(list.allItems, oneIn: 3), isReload: false)
      case 5: try place(row) { try $0.moveItem(row, beforeItem: other) }
      case 6: try place(row) { try $0.moveItem(row, afterItem: other) }
      case 7: try place(row) { try $0.moveItem(row, intoItem: other) }
      case 8: try place(row) { try $0.moveItem(row, toSection: section) }
      case 9: list.deleteItems([row, name])
      case 10: list.deleteItems { $0 % 5 == name }
      case 11: try list.keepLastItems(name, inSection: section)
      case 12:
        if !list.containsItem(name) { try list.insertItems([name], afterItem: row) }
      case 13: try list.replaceItems(inSection: section, with: someRows(ofSection: section))
      case 14:
        let rows = someRows(ofSection: section)
        try list.setOutline(
          random.outline(of: rows), forSection: section, keepingExpansion: random.chance(oneIn: 2))
      case 15: try list.removeOutline(ofSection: section)
      case 16:
        let rows = (0..<12).filter { !list.containsItem($0) }
        try list.replaceItems(childrenOf: row, using: random.outline(of: rows.suffix(2)))
      case 17:
        let all = list.sectionIdentifiers
        let to = random.element(of: all) ?? 0
        try list.moveSection(section, beforeSection: to)
        if list.sectionIdentifiers != all { placedSections.insert(section) }
        try list.reloadSections([to])
        reloadedSections.insert(to)
      default:
        list.deleteSections([section])
        reloadedSections.remove(section)
        placedSections.remove(section)
        list.appendSections([section])
      }
    }

    mutating func rename(_ row: Int, to name: Int) throws {
      try list.renameItem(row, to: name)
      guard row != name else { return }
      var moved = notes.removeValue(forKey: row) ?? Notes()
      // A row that has the name of one that was renamed came later, and has had no name at first.
      let isGivenAway = notes.values.contains { $0.former == row }
      moved.former = moved.former ?? (isGivenAway ? nil : row)
      if moved.former == name { moved.former = nil }
      notes[name] = moved
    }

    mutating func mark(_ rows: [Int], isReload: Bool) throws {
      if isReload { try list.reloadItems(rows) } else { try list.reconfigureItems(rows) }
      for row in rows {
        let isReloaded = isReload || notes[row]?.isReloaded == true
        notes[row, default: Notes()].isReloaded = isReloaded
        notes[row]?.isReconfigured = !isReloaded
      }
    }

    mutating func place(_ row: Int, _ move: (inout List) throws -> Void) throws {
      try move(&list)
      notes[row, default: Notes()].isPlaced = true
    }

    /// Forgets rows that are gone.
    mutating func prune() {
      let rows = Set(list.allItems)
      notes = notes.filter { rows.contains($0.key) && $0.value != Notes() }
    }
  }

  private static func notes(of list: List) -> [Int: Notes] {
    var notes: [Int: Notes] = [:]
    for row in list.reloadedItemIdentifiers { notes[row, default: Notes()].isReloaded = true }
    for row in list.reconfiguredItemIdentifiers {
      notes[row, default: Notes()].isReconfigured = true
    }
    for row in list.placedItemIdentifiers { notes[row, default: Notes()].isPlaced = true }
    for rename in list.renamedItems { notes[rename.new, default: Notes()].former = rename.old }
    return notes
  }

  @Test(arguments: 0..<UInt64(rounds(320, least: 20)))
  func `After every edit`(seed: UInt64) throws {
    var writer = try Writer(seed: seed)
    for step in 0..<40 {
      let before = writer.list
      // What is refused changes nothing.
      try? writer.edit()
      writer.prune()
      let list = writer.list
      let comment: Comment = "seed \(seed), step \(step): \(before) → \(list)"
      #expect(Self.notes(of: list) == writer.notes, comment)
      let marked = list.reloadedItemIdentifiers + list.reconfiguredItemIdentifiers
      #expect(Set(marked).count == marked.count, comment)
      #expect(Set(list.reloadedSectionIdentifiers) == writer.reloadedSections, comment)
      #expect(Set(list.placedSectionIdentifiers) == writer.placedSections, comment)
      try list.validate()
      guard Self.notes(of: list) == writer.notes else { return }
    }
    let list = writer.list
    let read = try coded(list)
    #expect(Self.notes(of: read) == writer.notes && read == list, "seed \(seed)")
    #expect(Set(read.placedSectionIdentifiers) == writer.placedSections, "seed \(seed)")
  }
}

/// A row that moves keeps what its writer has said of it, and so do the rows below it.
@Suite("A move forgets no marks, other than a deletion")
struct MovedMarkTests {
  private typealias List = Snapshot<Int, Int>

  enum Mark: CaseIterable { case reload, reconfigure, rename }

  /// A tree of four rows beside each kind of section, with rows and without.
  private static func everyPair(isExpanded: Bool) throws -> [List] {
    var tree = try Outline(
      [1, 2, 3, 4], levels: [0, 1, 2, 0], expanding: isExpanded ? [1, 2] : [])
    tree.setChildrenUnloaded(of: [3])
    let other = try Outline([5, 6], levels: [0, 1])
    let kinds: [(items: [Int], outline: Outline<Int>?)] = [
      ([], nil), ([5, 6], nil), ([], Outline()), ([], other),
    ]
    return try kinds.map { items, outline in
      var list = List()
      list.appendSections([0, 1])
      try list.setOutline(tree, forSection: 0)
      try list.appendItems(items, toSection: 1)
      if let outline { try list.setOutline(outline, forSection: 1) }
      return list
    }
  }

  /// A row with all that is below it.
  private static func subtree(of item: Int, in list: List) -> [String] {
    let outline = list.sectionIdentifier(containingItem: item).flatMap(list.outline(ofSection:))
    guard let tree = outline?.outline(of: item, includingParent: true) else { return [] }
    return (0..<tree.count).map { position in
      let row = tree.rows[position]
      return "\(row.id) \(row.level) \(row.isExpanded) \(row.hasUnloadedChildren)"
    }
  }

  @Test(arguments: Mark.allCases, [false, true])
  func `Every row of a tree, and every place in every kind of section`(
    mark: Mark, isExpanded: Bool
  ) throws {
    for var old in try Self.everyPair(isExpanded: isExpanded) {
      for row in old.allItems {
        switch mark {
        case .reload: try old.reloadItems([row])
        case .reconfigure: try old.reconfigureItems([row])
        case .rename: try old.renameItem(row, to: row + 100)
        }
      }
      let rows = old.allItems
      typealias Move = (inout List, Int) throws -> Void
      let moves: [Move] =
        rows.flatMap { anchor -> [Move] in
          [
            { try $0.moveItem($1, beforeItem: anchor) }, { try $0.moveItem($1, afterItem: anchor) },
            { try $0.moveItem($1, intoItem: anchor) },
          ]
        } + [0, 1].map { section in { try $0.moveItem($1, toSection: section) } }
      for (number, move) in moves.enumerated() {
        for row in rows {
          var new = old
          // One that is not possible changes nothing.
          try? move(&new, row)
          let place: Comment = "move \(number) of \(row): \(old) → \(new)"
          let left = Set(new.allItems)
          let (before, after) = (Self.subtree(of: row, in: old), Self.subtree(of: row, in: new))
          // Only a list has no place for what is below a row.
          #expect(left.count == rows.count - (after.isEmpty ? max(0, before.count - 1) : 0), place)
          #expect(before.isEmpty || after.isEmpty || before == after, place)
          #expect(
            new.reloadedItemIdentifiers.sorted()
              == old.reloadedItemIdentifiers.filter(left.contains).sorted(), place)
          #expect(
            new.reconfiguredItemIdentifiers.sorted()
              == old.reconfiguredItemIdentifiers.filter(left.contains).sorted(), place)
          #expect(
            new.renamedItems.map(\.new).sorted()
              == old.renamedItems.map(\.new).filter(left.contains).sorted(), place)
        }
      }
    }
  }
}
