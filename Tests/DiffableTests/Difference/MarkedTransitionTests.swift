import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

@Suite("What is done to a row is told once, however it is renamed, moved and marked")
struct MarkedTransitionTests {
  enum Shape: CaseIterable { case list, tree, leaving }

  @Test("two rows, renamed, moved and marked in every combination", arguments: Shape.allCases)
  func marks(shape: Shape) throws {
    let old = try Self.list(shape)
    var number = 0
    for first in Fate.all {
      for second in Fate.all {
        number += 1
        guard isInScope(number, usual: 13, wide: 7) else { continue }
        var new = old
        new.expandItems([1])
        new.appendSections([3])
        for (row, fate) in [(1, first), (2, second)] { try fate.meet(row, in: &new) }
        new.deleteSections([2])

        var (reloads, reconfigures, renames) = (Set<ItemPath>(), Set<ItemPath>(), Set<ItemPath>())
        for (row, fate) in [(1, first), (2, second)] {
          // Of the sections, 0 and 1 stay where they are: all others come or go.
          guard let before = old.itemPath(for: row), before.section < 2,
            let after = new.itemPath(for: fate.name(of: row)), after.section < 2
          else { continue }
          if fate.isRenamed { renames.insert(after) }
          let isUnfolded = shape == .tree && row == 1
          if fate.marks.contains(.reload) {
            reloads.insert(before)
          } else if fate.isRenamed || isUnfolded || fate.marks.contains(.reconfigure) {
            reconfigures.insert(after)
          }
        }
        let difference = try new.difference(from: old)
        let comment: Comment = "\(old) → \(new): \(difference)"
        #expect(Set(difference.itemReloads) == reloads, comment)
        #expect(Set(difference.itemReconfigures) == reconfigures, comment)
        #expect(Set(difference.itemRenames) == renames, comment)
        #expect(difference.contradiction == nil, comment)
        let violations = DifferenceLaw.violations(of: difference, from: old, to: new)
        #expect(violations.isEmpty, "\(violations)")
      }
    }
  }

  /// Three sections, of which the last will go.
  ///
  /// Row 1 is in the first one, a list or a tree, and so is row 2, unless it is to leave the last one.
  private static func list(_ shape: Shape) throws -> Snapshot<Int, Int> {
    var list = Snapshot<Int, Int>(
      sections: [0, 1, 2], items: [[], [9], shape == .leaving ? [8, 2] : [8]])
    switch shape {
    case .list: try list.appendItems([1, 2, 3], toSection: 0)
    case .leaving: try list.appendItems([1, 3], toSection: 0)
    case .tree:
      let tree = try Outline([1, 3, 2], levels: [0, 1, 0])
      try list.setOutline(tree, forSection: 0)
    }
    return list
  }

  /// What a writer does with a row: a mark, another name, another place and another mark.
  private struct Fate {
    enum Mark: CaseIterable { case none, reload, reconfigure }
    enum Place: CaseIterable { case same, first, otherSection, newSection, gone }

    let isRenamed: Bool
    let place: Place
    let marks: [Mark]

    static let all: [Fate] = [false, true].flatMap { isRenamed in
      Place.allCases.flatMap { place in
        Mark.allCases.flatMap { first in
          Mark.allCases.map { Fate(isRenamed: isRenamed, place: place, marks: [first, $0]) }
        }
      }
    }

    func name(of row: Int) -> Int { isRenamed ? row + 10 : row }

    func meet(_ row: Int, in list: inout Snapshot<Int, Int>) throws {
      let name = name(of: row)
      try Self.mark(row, marks[0], in: &list)
      try list.renameItem(row, to: name)
      switch place {
      case .same: break
      case .first:
        try list.moveItem(name, beforeItem: list.itemIdentifiers(inSection: 0).first ?? name)
      case .otherSection: try list.moveItem(name, toSection: 1)
      case .newSection: try list.moveItem(name, toSection: 3)
      case .gone: return list.deleteItems([name])
      }
      try Self.mark(name, marks[1], in: &list)
    }

    private static func mark(
      _ name: Int, _ mark: Mark, in list: inout Snapshot<Int, Int>
    ) throws {
      switch mark {
      case .none: break
      case .reload: try list.reloadItems([name])
      case .reconfigure: try list.reconfigureItems([name])
      }
    }
  }
}
