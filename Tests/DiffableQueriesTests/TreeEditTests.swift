import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

/// Rows that name their parents: those that are not there yet, or no longer, too.
private struct NamedRows {
  var names: [Int?]
  var rows: Set<Int>

  /// The parent of a row, if it is there.
  func parent(of row: Int) -> Int? { names[row].flatMap { rows.contains($0) ? $0 : nil } }

  /// Rows with their levels, depth first; siblings ascend.
  var tree: [String] {
    func below(_ parent: Int?, _ level: Int) -> [String] {
      rows.filter { self.parent(of: $0) == parent }.sorted()
        .flatMap { ["\($0) at \(level)"] + below($0, level + 1) }
    }
    return below(nil, 0)
  }

  /// Rows that name one that is not there.
  func orphans(among some: Set<Int>) -> [String] {
    some.sorted().compactMap { row in
      names[row].flatMap { rows.contains($0) ? nil : "\(row) below \($0)" }
    }
  }
}

@Suite("A tree follows rows that come, go and name other parents") struct TreeEditTests {
  private static let count = 4

  /// Every choice of parents in which nothing is below itself.
  private static let everyNaming: [[Int?]] =
    everySequence(of: [nil] + Array(0..<count), length: count).filter { names in
      names.indices.allSatisfy { row in
        // Nobody has more ancestors than there are rows.
        Array(sequence(first: row) { names[$0] }.prefix(count + 1)).count <= count
      }
    }

  private static func subset(_ number: Int) -> Set<Int> {
    Set((0..<count).filter { number & 1 << $0 != 0 })
  }

  /// Lets a tree follow, as a step of a query does, and compares it with one made anew.
  private func follow(
    _ outline: Outline<Int>, from old: NamedRows, to new: NamedRows
  ) throws -> Outline<Int> {
    let comment: Comment = "\(old) to \(new)"
    var edit = TreeEdit(outline)
    let gone = old.rows.subtracting(new.rows)
    edit.remove(IdentifierSet(gone.sorted()))
    for row in new.rows.subtracting(old.rows).sorted() {
      edit.add(OutlineRow(id: row, level: 0))
      for orphan in old.rows.intersection(new.rows).sorted() where old.names[orphan] == row {
        edit.lift(orphan)
      }
    }
    let stays = old.rows.intersection(new.rows)
    let reparented = stays.filter { old.names[$0] != new.names[$0] }
    for row in reparented.sorted() { edit.lift(row) }
    let orphans = try edit.settle(isBefore: <, parent: { new.names[$0] })
    let made = edit.outline
    let shown = (0..<made.count).map { "\(made.rows[$0].id) at \(made.rows[$0].level)" }
    #expect(shown == new.tree, comment)
    // Those that had no parent before either have their places already.
    let later = new.rows.filter { row in
      !stays.contains(row) || reparented.contains(row)
        || old.names[row].map(gone.contains) ?? false
    }
    let told = orphans.map { "\($0.orphan) below \($0.parent)" }.sorted()
    #expect(told == new.orphans(among: later).sorted(), comment)
    return made
  }

  @Test func `Any rows go, and come back`() throws {
    #expect(Self.everyNaming.count == 125)
    var number = 0
    for names in Self.everyNaming {
      let all = NamedRows(names: names, rows: Self.subset(15))
      for rows in 0..<15 {
        number += 1
        guard isInScope(number, usual: 7, wide: 1) else { continue }
        let some = NamedRows(names: names, rows: Self.subset(rows))
        var outline = try follow(Outline(), from: NamedRows(names: names, rows: []), to: all)
        outline = try follow(outline, from: all, to: some)
        _ = try follow(outline, from: some, to: all)
      }
    }
  }

  @Test func `Some name other parents, while others come and go`() throws {
    for seed in 0..<UInt64(rounds(2_000)) {
      var random = SplitMix64(seed: seed)
      var shown = NamedRows(names: Self.everyNaming[0], rows: [])
      var outline = Outline<Int>()
      for _ in 0..<4 {
        let names = Self.everyNaming[random.number(below: Self.everyNaming.count)]
        let next = NamedRows(names: names, rows: Self.subset(random.number(below: 16)))
        outline = try follow(outline, from: shown, to: next)
        shown = next
      }
    }
  }
}
