import Diffable
import DiffableTesting
import Foundation
import TestScope
import Testing

/// Plain sets decide whether a difference can be; they know nothing of ranges.
private struct PlainDifference {
  typealias Path = ItemPath

  let value: SnapshotDifference
  private let size = 4

  private func indices(_ set: RangeSet<Int>) -> Set<Int> { Set(set.ranges.joined()) }

  /// Where something goes that stays, by what else leaves and arrives.
  private func place(
    _ old: Int, moves: [(from: Int, to: Int)], without gone: Set<Int>, with new: Set<Int>
  ) -> Int? {
    if let move = moves.first(where: { $0.from == old }) { return move.to }
    guard !gone.contains(old) else { return nil }
    let rank = (0..<old).count { !gone.contains($0) && !moves.map(\.from).contains($0) }
    return (0..<3 * size).filter { !new.contains($0) && !moves.map(\.to).contains($0) }[rank]
  }

  private func section(_ old: Int) -> Int? {
    place(
      old, moves: value.sectionMoves.map { ($0.from, $0.to) },
      without: indices(value.sectionDeletes), with: indices(value.sectionInserts))
  }

  private func path(_ old: Path) -> Path? {
    if let move = value.itemMoves.first(where: { $0.from == old }) { return move.to }
    guard let section = section(old.section) else { return nil }
    func items(_ paths: some Sequence<Path>, in section: Int) -> Set<Int> {
      Set(paths.filter { $0.section == section }.map(\.item))
    }
    let gone = items(value.itemMoves.map(\.from), in: old.section)
      .union(items(value.itemDeletes, in: old.section))
    let new = items(value.itemMoves.map(\.to), in: section)
      .union(items(value.itemInserts, in: section))
    return place(old.item, moves: [], without: gone, with: new)
      .map { Path(section: section, item: $0) }
  }

  /// Whether all elements are different ones, in two lists of them.
  private func areApart<Place: Hashable>(
    _ places: some Sequence<Place>, _ others: some Sequence<Place>
  ) -> Bool {
    let all = Array(places) + Array(others)
    return Set(all).count == all.count
  }

  private var areSectionsPossible: Bool {
    let (deletes, inserts) = (indices(value.sectionDeletes), indices(value.sectionInserts))
    let moves = value.sectionMoves
    return moves.map(\.to) == moves.map(\.to).sorted() && areApart(deletes, moves.map(\.from))
      && areApart(inserts, moves.map(\.to))
      && deletes.isDisjoint(with: indices(value.sectionReloads))
      && inserts.isDisjoint(with: indices(value.sectionReconfigures))
      && inserts.isDisjoint(with: indices(value.outlineChanges))
  }

  private var areItemsPossible: Bool {
    let moves = value.itemMoves
    let (deletes, inserts) = (Set(value.itemDeletes), Set(value.itemInserts))
    let leaving = value.itemDeletes + Array(value.itemReloads) + moves.map(\.from)
    let entering =
      value.itemInserts + Array(value.itemReconfigures) + Array(value.itemRenames) + moves.map(\.to)
    return moves.map(\.to) == moves.map(\.to).sorted() && areApart(deletes, moves.map(\.from))
      && areApart(inserts, moves.map(\.to)) && deletes.isDisjoint(with: value.itemReloads)
      && inserts.isDisjoint(with: value.itemReconfigures)
      && inserts.isDisjoint(with: value.itemRenames)
      && indices(value.sectionDeletes).isDisjoint(with: leaving.map(\.section))
      && indices(value.sectionInserts).isDisjoint(with: entering.map(\.section))
  }

  private var areRenamesShown: Bool {
    let reloads = Set(value.itemReloads.compactMap(path))
    let sections = Set(indices(value.sectionReloads).compactMap(section))
    return value.itemRenames.allSatisfy {
      value.itemReconfigures.contains($0) || reloads.contains($0) || sections.contains($0.section)
    }
  }

  var isPossible: Bool { areSectionsPossible && areItemsPossible && areRenamesShown }
}

@Suite("A decoded difference contradicts itself in nothing") struct ContradictionTests {
  @Test func `What could be is taken, and nothing else`() throws {
    var (taken, refused) = (0, 0)
    for seed in 0..<UInt64(rounds(24_000)) {
      var random = SplitMix64(seed: seed)
      var value = SnapshotDifference()
      let every = (0..<6).map { ItemPath(section: $0 / 2, item: $0 % 2) }
      func sections() -> RangeSet<Int> {
        RangeSet(random.sample(Array(0..<3), oneIn: 7).map { $0..<$0 + 1 })
      }
      func items() -> ItemPathSet { ItemPathSet(random.sample(every, oneIn: 9)) }
      (value.sectionDeletes, value.sectionInserts) = (sections(), sections())
      (value.sectionReloads, value.sectionReconfigures) = (sections(), sections())
      (value.itemDeletes, value.itemInserts) = (items(), items())
      (value.itemReloads, value.itemReconfigures) = (items(), items())
      value.itemRenames = random.chance(oneIn: 2) ? items() : []
      if random.chance(oneIn: 4) { value.outlineChanges = sections() }
      // Moves that go to one place, or in no order, are refused.
      for _ in 0..<[0, 0, 1, 2][random.number(below: 4)] {
        value.sectionMoves.append(Move(from: random.number(below: 3), to: random.number(below: 3)))
      }
      for _ in 0..<[0, 0, 1, 2][random.number(below: 4)] {
        let (from, to) = (random.number(below: 6), random.number(below: 6))
        value.itemMoves.append(Move(from: every[from], to: every[to]))
      }
      if !random.chance(oneIn: 4) {
        value.sectionMoves.sort { $0.to < $1.to }
        value.itemMoves.sort { $0.to < $1.to }
      }
      let data = try JSONEncoder().encode(value)
      let decoded = try? JSONDecoder().decode(SnapshotDifference.self, from: data)
      let isPossible = PlainDifference(value: value).isPossible
      #expect((decoded == value) == isPossible, "seed \(seed): \(value)")
      #expect((decoded == nil) == !isPossible, "seed \(seed): \(value)")
      if isPossible {
        taken += 1
        #expect(value.inverse.inverse == value, "seed \(seed): \(value)")
      } else {
        refused += 1
      }
    }
    #expect(taken > 100 && refused > 100)
  }
}
