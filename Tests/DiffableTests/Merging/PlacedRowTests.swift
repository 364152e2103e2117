import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// Which rows were placed, and what differences, merges and undo make of it, by example.
@Suite(.deadline) struct PlacedRowTests {
  private static func letters(_ text: String) -> Snapshot<Int, String> {
    Snapshot(sections: [0], items: [text.map(String.init)])
  }

  @Test func `Of two equally small differences, the placed row moves`() async throws {
    let base = Self.letters("abc")
    var up = base
    try up.moveItem("c", beforeItem: "b")
    var down = base
    try down.moveItem("b", afterItem: "c")
    #expect(up == down)
    #expect(try up.difference(from: base).itemMoves.map(\.from.item) == [2])
    #expect(try down.difference(from: base).itemMoves.map(\.from.item) == [1])
    #expect(up.placedItemIdentifiers == ["c"] && down.placedItemIdentifiers == ["b"])

    let source = try DataSourceActor(base)
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next(isolation: nil)
    for (item, isUp) in [("c", true), ("c", false), ("b", false), ("b", true)] {
      let from = try #require(await source.snapshot.itemPath(for: item))
      try await source.update { list in
        let other = item == "c" ? "b" : "c"
        if isUp {
          try list.moveItem(item, beforeItem: other)
        } else {
          try list.moveItem(item, afterItem: other)
        }
      }
      let batch = try #require(await batches.next(isolation: nil))
      #expect(batch.difference.itemMoves.map(\.from) == [from])
    }
  }

  @Test func `Sections and siblings have anchors that stand still`() throws {
    var base = Snapshot<Int, Int>()
    base.appendSections([1, 2, 3, 4, 5])
    var theirs = base
    try theirs.moveSection(1, afterSection: 5)
    var mine = base
    try mine.moveSection(5, beforeSection: 1)
    let merge = try theirs.merging(mine, basedOn: base)
    #expect(merge.snapshot.sectionIdentifiers == [5, 2, 3, 4, 1])

    var tree = Snapshot<Int, Int>()
    tree.appendSections([0])
    let outline = try Outline([9, 1, 2, 3, 4, 5], levels: [0, 1, 1, 1, 1, 1], expanding: [9])
    try tree.setOutline(outline, forSection: 0)
    var (others, writer) = (tree, tree)
    try others.moveItem(1, afterItem: 5)
    try writer.moveItem(5, beforeItem: 1)
    let siblings = try others.merging(writer, basedOn: tree).snapshot
    #expect(siblings.itemIdentifiers == [9, 5, 2, 3, 4, 1])
  }

  @Test func `Writes that come together keep what was placed`() async throws {
    let base = Self.letters("abc")
    let source = try DataSourceActor(base)
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next(isolation: nil)
    try await source.update { try $0.moveItem("c", beforeItem: "b") }
    try await source.update { try $0.renameItem("c", to: "z") }
    let batch = try #require(await batches.next(isolation: nil))
    #expect(batch.difference.itemMoves.map(\.from.item) == [2])
  }

  /// Rows 1 to 4, as a list or below row 0 of an outline.
  private static func rows(inOutline isOutline: Bool) throws -> Snapshot<Int, Int> {
    var list = Snapshot<Int, Int>()
    list.appendSections([0])
    guard isOutline else {
      try list.appendItems(1...4)
      return list
    }
    let outline = try Outline(Array(0...4), levels: [0, 1, 1, 1, 1], expanding: [0])
    try list.setOutline(outline, forSection: 0)
    return list
  }

  @Test("A row that changes places with a neighbour moves back and again, whatever it is called")
  func neighbours() async throws {
    let swaps = (1...4).flatMap { row in
      [(row, row - 1), (row, row + 1)].filter { (1...4).contains($0.1) }
    }
    for (row, neighbour) in swaps {
      for (isOutline, names) in [false, true].flatMap({ way in (0..<4).map { (way, $0) } }) {
        let source = try DataSourceActor(Self.rows(inOutline: isOutline))
        let start = await source.snapshot
        var batches = source.updates().makeAsyncIterator()
        _ = await batches.next(isolation: nil)
        // The row gets another name before the move or after it, or both.
        try await source.update(named: "Move") { list in
          var name = row
          func rename(_ other: Int) throws {
            try list.renameItem(name, to: other)
            name = other
          }
          if names & 1 != 0 { try rename(10) }
          if neighbour < row {
            try list.moveItem(name, beforeItem: neighbour)
          } else {
            try list.moveItem(name, afterItem: neighbour)
          }
          if names & 2 != 0 { try rename(11) }
        }
        let name = names & 2 != 0 ? 11 : names & 1 != 0 ? 10 : row
        let comment: Comment = "\(row) beside \(neighbour), \(isOutline), \(names)"
        let made = await source.snapshot
        let batch = try #require(await batches.next(isolation: nil))
        let from = try #require(start.itemPath(for: row))
        let to = try #require(made.itemPath(for: name))
        #expect(batch.difference.itemMoves == [Move(from: from, to: to)], comment)
        let undone = try #require(try await source.undo(.named))
        #expect(undone.difference.itemMoves == [Move(from: to, to: from)], comment)
        #expect(undone.finalSnapshot == start, comment)
        let redone = try #require(try await source.redo(.named))
        #expect(redone.difference.itemMoves == [Move(from: from, to: to)], comment)
        #expect(redone.finalSnapshot == made, comment)
      }
    }
  }
}
