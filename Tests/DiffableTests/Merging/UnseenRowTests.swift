import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable

/// An edit that deletes sections and runs again, on what others have made of the list since.
@Suite("Rows that the writer of an edit has not seen stay, with their section")
struct UnseenRowTests {
  private typealias List = Snapshot<Int, Int>
  private typealias Edit = @Sendable (inout List) throws -> Void

  /// What others do.
  private static let edits: [Edit] = [
    { try $0.appendItems([9], toSection: 0) }, { try $0.moveItem(3, beforeItem: 1) },
    { try $0.moveItem(1, toSection: 1) }, { $0.deleteItems([2, 4]) },
    { list in
      list.appendSections([2])
      try list.appendItems([7], toSection: 2)
    },
  ]

  @Test("Every two changes by others, and every choice of deleted sections")
  func everyChange() throws {
    var base = List(sections: [0, 1], items: [[1, 2], [3, 4]])
    base = base.resolved
    for first in Self.edits {
      for second in Self.edits {
        var state = base
        try first(&state)
        try? second(&state)
        state = state.resolved
        guard (try? state.validate()) != nil else { continue }
        for choice in 1..<8 {
          let gone = (0..<3).filter { choice & 1 << $0 != 0 }
          var (made, edited) = (base, state)
          made.deleteSections(gone)
          edited.deleteSections(gone)
          let kept = try edited.keepUnseenItems(
            of: state, basedOn: base, made, renamedByOthers: .init())
          #expect(
            edited.sectionIdentifiers == state.sectionIdentifiers.filter(edited.containsSection))
          for section in state.sectionIdentifiers {
            let rows = state.itemIdentifiers(inSection: section)
            let expected = rows.filter { row in
              guard gone.contains(section), let seen = base.sectionIdentifier(containingItem: row)
              else { return true }
              return seen != section && made.containsItem(row)
            }
            let comment: Comment = "\(state) without \(gone) is \(edited)"
            #expect(edited.itemIdentifiers(inSection: section) == expected, comment)
            let isKept = gone.contains(section) && !expected.isEmpty
            #expect(kept.contains(section) == isKept, comment)
            #expect(
              edited.containsSection(section) == (isKept || !gone.contains(section)), comment)
          }
        }
      }
    }
  }

  /// Others put rows below those of two chains, and below each other.
  @Test("In an outline they keep their flags, below the nearest row that stays")
  func outlines() throws {
    for seed in 0..<UInt64(rounds(1_000, least: 60)) {
      var random = SplitMix64(seed: seed)
      var tree = try Outline([1, 2, 3, 4, 6], levels: [0, 1, 2, 0, 1])
      var base = List()
      base.appendSections([0, 1])
      try base.setOutline(tree, forSection: 0)
      try base.appendItems([5], toSection: 1)
      base = base.resolved
      var renames = ItemRenames<Int>()
      if random.chance(oneIn: 2) {
        // One row of the chain has another name since.
        renames.formUnion([ItemRename(old: 2, new: 7)])
        try tree.insert([7], before: 2)
        try tree.move(3, into: 7)
        tree.delete([2])
      }
      var state = base
      // One that has moved there is one that the writer has not seen there.
      let hasMoved = random.chance(oneIn: 2)
      if hasMoved { state.deleteItems([5]) }
      for row in [8, 9, 10] + (hasMoved ? [5] : []) {
        try tree.append([row], to: random.element(of: [nil] + tree.items.map(Optional.some)) ?? nil)
      }
      tree.expand(random.sample(tree.items, oneIn: 2))
      tree.setChildrenUnloaded(of: random.sample(tree.items, oneIn: 3))
      try state.setOutline(tree, forSection: 0)
      state = state.resolved
      var (made, edited) = (base, state)
      made.deleteSections([0])
      edited.deleteSections([0])
      let kept = try edited.keepUnseenItems(
        of: state, basedOn: base, made, renamedByOthers: renames)
      let comment: Comment = "seed \(seed): of\n\(tree)\n\(edited) is left"
      #expect(kept == [0] && edited.sectionIdentifiers == [0, 1], comment)
      let rest = try #require(edited.outline(ofSection: 0), comment)
      let rows = tree.items.filter { [5, 8, 9, 10].contains($0) }
      #expect(rest.items == rows, comment)
      for row in rows {
        var parent = tree.parent(of: row)
        while let above = parent, !rows.contains(above) { parent = tree.parent(of: above) }
        #expect(rest.parent(of: row) == parent, comment)
        #expect(rest.isExpanded(row) == tree.isExpanded(row), comment)
        #expect(rest.hasUnloadedChildren(row) == tree.hasUnloadedChildren(row), comment)
      }
    }
  }
}
