import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable

/// All merges of short scripts that delete, rename and insert items, against sets of rows.
@Suite("Merging items that both sides rename") struct RenamedMergeTests {
  private typealias List = Snapshot<Int, Int>

  private enum Edit {
    case delete(Int)
    case rename(Int, Int)
    case insert(Int)

    static let all: [Edit] =
      (1...3).map(delete)
      + (1...5).flatMap { old in (1...5).filter { $0 != old }.map { rename(old, $0) } }
      + [insert(2), insert(4)]

    /// Makes the edit; `false` if it is none in this version.
    func change(_ version: inout Version) -> Bool {
      switch self {
      case .delete(let item):
        guard version.list.containsItem(item) else { return false }
        version.list.deleteItems([item])
        version.rows[item] = nil
      case .rename(let old, let new):
        guard version.list.containsItem(old), !version.list.containsItem(new),
          (try? version.list.renameItem(old, to: new)) != nil
        else { return false }
        version.rows[new] = version.rows.removeValue(forKey: old)
      case .insert(let item):
        guard !version.list.containsItem(item),
          (try? version.list.appendItems([item], toSection: 0)) != nil
        else { return false }
        version.rows[item] = .some(nil)
      }
      return true
    }
  }

  /// One version of the base.
  private struct Version {
    var list: List
    /// By the name of each row: the name that it has in the base, or none if it is new.
    var rows: [Int: Int?]

    /// The names by row; `nil` if a row was inserted under the name of one that is still there.
    ///
    /// A new row is known by the name that it has now.
    var names: [Int: Int]? {
      let known = rows.map { ($0.value ?? $0.key, $0.key) }
      return Set(known.map(\.0)).count == known.count
        ? Dictionary(uniqueKeysWithValues: known) : nil
    }

    /// The rows as a writer names them: a name that is in both lists is that of the same row.
    func written(since base: List) -> [Int: Int] {
      var rows: [Int: Int] = [:]
      for name in list.itemIdentifiers {
        let old = list.marks.renames.oldName(of: name).flatMap { old in
          base.containsItem(old) && !list.containsItem(old) ? old : nil
        }
        rows[base.containsItem(name) ? name : old ?? name] = name
      }
      return rows
    }
  }

  private static func versions(of base: List) -> [Version] {
    func edited(_ versions: [Version]) -> [Version] {
      versions.flatMap { version in
        Edit.all.compactMap { edit in
          var version = version
          return edit.change(&version) ? version : nil
        }
      }
    }
    let rows = base.itemIdentifiers.map { ($0, Optional($0)) }
    let start = [Version(list: base, rows: Dictionary(uniqueKeysWithValues: rows))]
    let once = edited(start)
    return start + once + edited(once)
  }

  @Test("A name that both sides have from the base is still told")
  func knownNames() throws {
    var base = List(sections: [0], items: [Array(1...3)])
    try base.renameItem(1, to: 4)
    var longer = base
    try longer.appendItems([5], toSection: 0)
    for live in [base, longer] {
      for theirs in [base, longer] {
        let merged = try live.merging(theirs, basedOn: base).snapshot
        #expect(merged.renamedItems == base.renamedItems, "\(live) and \(theirs)")
      }
    }
  }

  @Test("A rename is merged into an unchanged list as if it was made there")
  func marksOfAnUnchangedList() throws {
    var live = List(sections: [0], items: [Array(1...3)])
    try live.renameItem(1, to: 4)
    var base = live
    base.marks = .init()
    for row in [4, 2] {
      for marked in [4, 2, 3] {
        for isReloaded in [false, true] {
          var list = live
          if isReloaded {
            try list.reloadItems([marked])
          } else {
            try list.reconfigureItems([marked])
          }
          var edited = list
          try edited.renameItem(row, to: 5)
          // One writer knows the marks, the other one does not.
          for var theirs in [base, list] {
            try theirs.renameItem(row, to: 5)
            let merged = try list.merging(theirs, basedOn: base).snapshot
            #expect(merged == edited)
            #expect(merged.reloadedItemIdentifiers == edited.reloadedItemIdentifiers)
            #expect(merged.reconfiguredItemIdentifiers == edited.reconfiguredItemIdentifiers)
            #expect(merged.renamedItems == edited.renamedItems, "\(row) in \(list)")
          }
        }
      }
    }
  }

  @Test("A row is in the result if both have it, or one has it anew, under the last name")
  func rows() throws {
    var base = List(sections: [0], items: [Array(1...3)])
    // A merge in place needs the tables.
    base.resolve()
    let versions = Self.versions(of: base)
    let step = scoped(usual: 7, wide: 1, long: 1)
    var checked = 0
    for (number, writer) in versions.enumerated() {
      let mine = writer.written(since: base)
      // The writer marks each row.
      var theirList = writer.list
      try theirList.reloadItems(mine.filter { $0.key % 2 == 0 }.values)
      try theirList.reconfigureItems(mine.filter { $0.key % 2 == 1 }.values)
      for (other, others) in versions.enumerated() where (number + other) % step == 0 {
        guard let theirs = others.names else { continue }
        let kept = Set(mine.keys).union(theirs.keys).filter {
          !base.containsItem($0) || mine[$0] != nil && theirs[$0] != nil
        }
        let twice = kept.filter {
          base.containsItem($0) && mine[$0] != $0 && theirs[$0] != $0 && mine[$0] != theirs[$0]
        }
        for rule in [MergeRule.change, .undo] {
          func name(of row: Int) -> Int? {
            guard let name = mine[row] else { return theirs[row] }
            return name == row || rule == .undo && twice.contains(row) ? theirs[row] ?? name : name
          }
          let expected = kept.compactMap(name(of:))
          // Where a name that the writer gave is that of another row, somebody has to give way.
          let isClear =
            Set(expected).count == expected.count
            && mine.allSatisfy { row, name in
              base.containsItem(name) || theirs.allSatisfy { $0.value != name || $0.key == row }
            }
          guard isClear else { continue }
          var live = others.list
          live.marks.forgetRenames()
          let merged = try live.merge(
            valid: theirList, basedOn: base, others: others.list.marks, by: rule)
          checked += 1
          let comment: Comment = "\(rule), by row, the names: \(mine), others \(theirs)"
          #expect(live.itemIdentifiers.sorted() == expected.sorted(), comment)
          // Whatever a row is called, it is shown again if the writer wants that.
          let shown = kept.filter { mine[$0] != nil }
          #expect(
            live.reloadedItemIdentifiers.sorted()
              == shown.filter { $0 % 2 == 0 }.compactMap(name(of:)).sorted(), comment)
          #expect(
            live.reconfiguredItemIdentifiers.sorted()
              == shown.filter { $0 % 2 == 1 }.compactMap(name(of:)).sorted(), comment)
          let told = merged.conflicts.filter { $0.contradiction == .renamedTwice }
          #expect(
            told.map(\.identifier).map { "\($0)" }.sorted()
              == twice.compactMap { rule == .undo ? theirs[$0] : mine[$0] }.map { "\($0)" }.sorted(),
            comment)
          #expect(merged.conflicts.allSatisfy { $0.contradiction != .renamedButTaken }, comment)
        }
      }
    }
    #expect(checked > 12_000 / step)
  }
}

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
