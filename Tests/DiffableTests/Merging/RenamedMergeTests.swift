import DiffableTesting
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

    /// Makes the edit; `false` if it is none in this list.
    func change(_ list: inout List) -> Bool {
      switch self {
      case .delete(let item):
        guard list.containsItem(item) else { return false }
        list.deleteItems([item])
      case .rename(let old, let new):
        guard list.containsItem(old), !list.containsItem(new) else { return false }
        guard (try? list.replaceItem(old, with: new)) != nil else { return false }
      case .insert(let item):
        guard !list.containsItem(item) else { return false }
        guard (try? list.appendItems([item], toSection: 0)) != nil else { return false }
      }
      return true
    }
  }

  /// One version of the base.
  private struct Side {
    let list: List
    /// By the name of each row: the name that it has in the base, or its own if it is new there.
    let rows: [Int: Int]

    init(_ list: List, from base: List) {
      self.list = list
      var rows: [Int: Int] = [:]
      for name in list.itemIdentifiers {
        // A name that is in both lists is that of the same row.
        let old = list.marks.renames.oldName(of: name).flatMap { old in
          base.containsItem(old) && !list.containsItem(old) ? old : nil
        }
        rows[name] = base.containsItem(name) ? name : old ?? name
      }
      self.rows = rows
    }

    var names: [Int: Int] { Dictionary(rows.map { ($0.value, $0.key) }) { $1 } }
  }

  private static func versions(of base: List) -> [Side] {
    let once = Edit.all.compactMap { edit -> List? in
      var list = base
      return edit.change(&list) ? list : nil
    }
    let twice = once.flatMap { list in
      Edit.all.compactMap { edit -> List? in
        var list = list
        return edit.change(&list) ? list : nil
      }
    }
    return ([base] + once + twice).map { Side($0, from: base) }
  }

  @Test("A row is in the result if both have it, or one has it anew, under the last name")
  func rows() throws {
    var base = List()
    base.appendSections([0])
    try base.appendItems(1...3, toSection: 0)
    let versions = Self.versions(of: base)
    let step = scoped(usual: 7, wide: 1, long: 1)
    var checked = 0
    for (number, writer) in versions.enumerated() {
      for (other, others) in versions.enumerated() where (number + other) % step == 0 {
        // Where one name is that of two rows, somebody has to give way.
        let isClear = writer.rows.allSatisfy { others.rows[$0.key] ?? $0.value == $0.value }
        guard isClear else { continue }
        var live = others.list
        live.marks.forgetRenames()
        let merged = try live.merge(
          valid: writer.list, basedOn: base, renamedByOthers: others.list.marks.renames)
        let (mine, theirs) = (writer.names, others.names)
        let expected = Set(mine.keys).union(theirs.keys).compactMap { row -> Int? in
          if base.containsItem(row) {
            guard let mine = mine[row], let theirs = theirs[row] else { return nil }
            return mine == row ? theirs : mine
          }
          return row
        }
        checked += 1
        #expect(
          live.itemIdentifiers.sorted() == expected.sorted(),
          "\(writer.list.itemIdentifiers) \(writer.rows), \(others.list.itemIdentifiers) \(others.rows)"
        )
        #expect(merged.conflicts.allSatisfy { $0.contradiction != .renamedButTaken })
      }
    }
    #expect(checked > 5_000 / step)
  }
}
