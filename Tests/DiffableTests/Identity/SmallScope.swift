import Diffable
import DiffableTesting
import ListSupport

/// An identifier that has one of a few hashes.
struct FewHashes: Hashable, Sendable, CustomStringConvertible {
  let number: Int
  let hashCount: Int

  static func == (left: Self, right: Self) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number % hashCount) }

  var description: String { "\(number)" }
}

/// A list of identifiers with few hashes.
typealias FewHashesList = Snapshot<FewHashes, FewHashes>

extension Snapshot<FewHashes, FewHashes> {
  /// All that a snapshot holds, read in order without asking for any identifier.
  var picture: String {
    sectionIdentifiers.enumerated().map { index, section in
      let items = items(inSectionAt: index).map(\.description).joined(separator: " ")
      let outline = outline(ofSectionAt: index).map { " of\n\($0)" } ?? ""
      return "\(section)[\(items)]\(outline)"
    }.joined(separator: "\n")
  }

  /// The items of each section, hidden ones too, read in order.
  var numbers: [[Int]] {
    sectionIdentifiers.indices.map { index in
      (outline(ofSectionAt: index)?.items ?? Array(items(inSectionAt: index))).map(\.number)
    }
  }

  /// The items that are in the snapshot more than once, found by comparing each with each.
  var repeatedItems: Set<Int> { Self.repeated(numbers.flatMap { $0 }) }

  /// The sections that are in the snapshot more than once, found by comparing each with each.
  var repeatedSections: Set<Int> { Self.repeated(sectionIdentifiers.map(\.number)) }

  private static func repeated(_ numbers: [Int]) -> Set<Int> {
    Set(numbers.filter { number in numbers.count { $0 == number } > 1 })
  }

  /// The same state, built again of arrays, as a program would that keeps no snapshot.
  func rebuilt() throws -> Self {
    guard repeatedSections.isEmpty else { return self }
    var result = Self()
    for (index, section) in sectionIdentifiers.enumerated() {
      result.appendSections([section])
      if let outline = outline(ofSectionAt: index) {
        try result.setOutline(outline, forSection: section)
      } else {
        try result.appendItems(Array(items(inSectionAt: index)), toSection: section)
      }
    }
    return result
  }

  /// Everything by which a state is not a valid one that finds what it holds.
  var faults: [String] {
    var faults: [String] = []
    if !repeatedItems.isEmpty { faults.append("holds items twice: \(repeatedItems)") }
    if !repeatedSections.isEmpty { faults.append("holds sections twice: \(repeatedSections)") }
    do { try validate() } catch { faults.append("validate(): \(error)") }
    return faults + self.faults(asking: allItems)
  }
}

extension Outline {
  /// Creates an outline of rows, each with its level and whether it is expanded.
  init(_ rows: [ItemID], _ shape: [(level: Int, isExpanded: Bool)]) throws {
    let expanded = zip(rows, shape).filter(\.1.isExpanded).map(\.0)
    try self.init(rows, levels: shape.map(\.level), expanding: expanded)
  }
}

/// Every small state with few hashes, and every edit of one.
struct SmallScope {
  typealias ID = FewHashes
  typealias State = FewHashesList
  typealias Tree = Outline<ID>

  /// A named edit.
  struct Edit: Sendable, CustomStringConvertible {
    let description: String
    let apply: @Sendable (inout State) throws -> Void

    init(_ description: String, _ apply: @escaping @Sendable (inout State) throws -> Void) {
      self.description = description
      self.apply = apply
    }

    init(_ edit: SnapshotEdit<ID, ID>) {
      self.init(edit.description) { try edit.apply(to: &$0) }
    }
  }

  let hashCount: Int
  /// The items that occur.
  let pool: [ID]
  let sections: [ID]
  /// Every outline of up to three items.
  let outlines: [Tree]

  init(hashCount: Int, items: Int) throws {
    self.hashCount = hashCount
    let pool = (0..<items).map { ID(number: $0, hashCount: hashCount) }
    self.pool = pool
    sections = (0..<2).map { ID(number: $0, hashCount: hashCount) }
    outlines = try everyOrderedSubset(of: Array(pool.prefix(4))).filter { $0.count <= 3 }
      .flatMap { items in try Self.shapes(of: items.count).map { try Tree(items, $0) } }
  }

  /// Every list without repeats.
  var lists: [[ID]] { everyOrderedSubset(of: pool) }

  /// Every list of up to three items, repeats included.
  var sequences: [[ID]] { everySequence(of: pool, upTo: 3) }

  /// Every way to indent some rows, and to expand those that have children.
  static func shapes(of count: Int) -> [[(level: Int, isExpanded: Bool)]] {
    everyForest(of: count).flatMap { levels in
      everySequence(of: [false, true], length: count).filter { flags in
        flags.indices.allSatisfy { row in
          !flags[row] || row + 1 < count && levels[row + 1] > levels[row]
        }
      }.map { flags in zip(levels, flags).map { (level: $0, isExpanded: $1) } }
    }
  }

  /// Every valid state of two sections, the second one a list.
  var states: [State] {
    get throws {
      var states: [State] = []
      func add(_ used: [ID], _ fill: (inout State) throws -> Void) throws {
        let rest = pool.filter { !used.contains($0) }
        for others in everyOrderedSubset(of: rest) {
          var state = State()
          state.appendSections(sections)
          try fill(&state)
          try state.appendItems(others, toSection: sections[1])
          states.append(state)
        }
      }
      for list in lists {
        try add(list) { [sections] in try $0.appendItems(list, toSection: sections[0]) }
      }
      for outline in outlines where !outline.isEmpty {
        try add(outline.items) { [sections] in
          try $0.setOutline(outline, forSection: sections[0])
        }
      }
      return states
    }
  }

  /// Every edit of one call.
  var edits: [Edit] {
    var edits: [Edit] = []
    for section in sections {
      for list in sequences {
        edits.append(Edit(.replaceItems(section, list)))
        if list.count <= 2 { edits.append(Edit(.appendItems(list, section))) }
      }
      for outline in outlines {
        for keeps in [false, true] {
          edits.append(
            Edit("outline \(section) \(keeps)\n\(outline)") {
              try $0.setOutline(outline, forSection: section, keepingExpansion: keeps)
            })
        }
      }
      let ofSection: [SnapshotEdit<ID, ID>] = [
        .removeOutline(section), .appendSections([section]), .deleteSections([section]),
        .moveSectionBefore(section, sections[0]), .keepLastItems(1, section),
      ]
      edits += ofSection.map { Edit($0) }
    }
    for item in pool { edits += self.edits(of: item) }
    edits.append(Edit(.deleteAllItems))
    return edits
  }

  private func edits(of item: ID) -> [Edit] {
    var edits: [SnapshotEdit<ID, ID>] = [
      .deleteItems([item]), .deleteItemsWhere([item]), .expandItems([item]),
      .collapseItems([item]), .appendItems([item], nil),
    ]
    edits += sections.map { .moveItemToSection(item, $0) }
    for other in pool {
      edits += [
        .insertItemsBefore([other], item), .insertItemsAfter([other, other], item),
        .moveItemBefore(other, item), .moveItemAfter(other, item), .moveItemInto(other, item),
      ]
    }
    let below = outlines.filter { $0.count <= 2 }.map { children in
      Edit("children of \(item)\n\(children)") {
        try $0.replaceItems(childrenOf: item, using: children)
      }
    }
    return edits.map { Edit($0) } + below
  }
}
