import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("A range stays with its rows through folds, renames, moves and deletes", .deadline)
@MainActor
struct OutlineRangeTests {
  /// What should be selected, by rows that keep their numbers whatever they are called.
  private struct Model {
    /// A tree of three levels, and two rows of a flat list after it.
    static let parents: [Int?] = [nil, 0, 1, 0, nil, 4, nil, nil]

    var names = Array(0..<8)
    var roots = [0, 4]
    var collapsed: Set<Int> = []
    var deleted: Set<Int> = []
    var selected: Set<Int> = []
    /// What is selected without the range.
    var others: Set<Int> = []
    var anchor: Int?
    var lead: Int?

    private func visible(_ siblings: [Int]) -> [Int] {
      siblings.filter { !deleted.contains($0) }.flatMap { row in
        let children = (0..<6).filter { Self.parents[$0] == row }
        return [row] + (collapsed.contains(row) ? [] : visible(children))
      }
    }

    var rows: [Int] { visible(roots) + visible([6, 7]) }

    /// The row that stands for a row, if it is in the list.
    func shown(_ row: Int?) -> Int? {
      guard let row, !deleted.contains(row) else { return nil }
      let rows = rows
      var shown = row
      while !rows.contains(shown), let parent = Self.parents[shown] { shown = parent }
      return shown
    }

    mutating func begin(at row: Int?) { (anchor, lead, others) = (row, row, selected) }

    mutating func extend(to row: Int) {
      if shown(anchor) == nil { begin(at: row) }
      let rows = rows
      guard let first = shown(anchor).flatMap(rows.firstIndex(of:)),
        let last = rows.firstIndex(of: row)
      else { return }
      selected = others.union(rows[min(first, last)...max(first, last)])
      lead = row
    }

    mutating func delete(_ row: Int) {
      deleted.insert(row)
      selected.remove(row)
      others.remove(row)
    }

    func start() throws -> List {
      var outline = try Outline([0, 4])
      try outline.append([1, 3], to: 0)
      try outline.append([2], to: 1)
      try outline.append([5], to: 4)
      outline.expand([0, 1, 4])
      var list = try list([], [6, 7])
      try list.setOutline(outline, forSection: 0)
      return list
    }

    /// Changes the list and the rows in the same way.
    mutating func change(_ list: inout List, _ random: inout SplitMix64) throws {
      for _ in 0..<1 + random.number(below: 3) {
        switch random.number(below: 8) {
        case 0, 1, 2:
          let row = [0, 1, 4][random.number(below: 3)]
          if collapsed.remove(row) == nil {
            collapsed.insert(row)
            list.collapseItems([names[row]])
          } else {
            list.expandItems([names[row]])
          }
        case 3:
          try list.moveItem(names[roots[1]], beforeItem: names[roots[0]])
          roots.reverse()
        case 4:
          let row = [2, 3, 5, 7][random.number(below: 4)]
          guard random.chance(oneIn: 3), deleted.count < 2, !deleted.contains(row) else { break }
          list.deleteItems([names[row]])
          delete(row)
        default:
          let row = random.number(below: 8)
          guard !deleted.contains(row) else { break }
          let name = (names.max() ?? 0) + 1
          try list.renameItem(names[row], to: name)
          names[row] = name
        }
      }
    }
  }

  @Test(
    "By the user and by the program, in one stage or in several",
    arguments: [ListProfile.collectionView, .movesApart, .sequential])
  func law(profile: ListProfile) async throws {
    for seed in 0..<rounds(48 as UInt64, least: 12) {
      var random = SplitMix64(seed: seed)
      let host = Host(profile: profile)
      let controller = Rows().controller(of: host)
      let told = ToldSelection(of: controller)
      var model = Model()
      var batches = Batches()
      await controller.show(try batches.next(model.start()))
      for step in 0..<30 {
        let rows = model.rows
        let row = rows[random.number(below: rows.count)]
        let path = try #require(batches.snapshot.itemPath(for: model.names[row]))
        switch random.number(below: 10) {
        case 0:
          // Hidden rows as well.
          let row = random.number(below: 8)
          guard !model.deleted.contains(row) else { continue }
          controller.select([model.names[row]])
          model.selected.insert(row)
          model.begin(at: row)
        case 1:
          controller.deselect([model.names[row]])
          model.selected.remove(row)
          model.begin(at: nil)
        case 2, 3:
          controller.extendSelection(to: model.names[row])
          model.extend(to: row)
        case 4, 5:
          let origin = random.chance(oneIn: 4) ? row : model.shown(model.lead) ?? row
          let from = try #require(batches.snapshot.itemPath(for: model.names[origin]))
          let goesOn = model.shown(model.lead) == origin && model.shown(model.anchor) != nil
          host.extendSelection(from: from, to: path)
          if !goesOn { model.begin(at: origin) }
          model.extend(to: row)
        default:
          var new = batches.snapshot
          try model.change(&new, &random)
          let isReset = random.chance(oneIn: 5)
          await controller.show(try batches.next(new, presentation: isReset ? .reset : .animated))
        }
        let comment: Comment = "seed \(seed), step \(step), \(batches.snapshot)"
        #expect(controller.selectedItems == Set(model.selected.map { model.names[$0] }), comment)
        #expect(
          host.selectedItemPaths
            == ItemPathSet(
              model.selected.compactMap { batches.snapshot.itemPath(for: model.names[$0]) }),
          comment)
        #expect(told.isRight && told.items == controller.selectedItems, comment)
        #expect(
          (0..<8).allSatisfy {
            model.deleted.contains($0)
              || controller.isSelected(model.names[$0]) == model.selected.contains($0)
          }, comment)
      }
    }
  }
}
