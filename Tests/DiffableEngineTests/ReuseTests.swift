import DiffableTesting
import TestScope
import Testing

@testable import Diffable
@testable import DiffableEngine

/// The steps that the article “How the difference is found” draws, on leaves as small as its own.
@Suite("The narrated difference")
struct NarratedDifferenceTests {
  private let shape = TreeShape(leafCapacity: 6, fanout: 4)
  private let old: ItemTree<Character>
  private let new: ItemTree<Character>

  init() {
    old = ItemTree("abcdefghijkl", shape: shape)
    new = old.updated(to: Array("abcdhfgxijkl")).tree
  }

  @Test("Step 1: leaves of four")
  func leaves() {
    #expect(old.leaves.map { String($0) } == ["abcd", "efgh", "ijkl"])
  }

  @Test("Step 2: equal leaves are taken over, another one has the label of the one it stands for")
  func reuse() {
    let (before, after) = (Array(old.leaves), Array(new.leaves))
    #expect(after.map { String($0) } == ["abcd", "hfgx", "ijkl"])
    #expect(after.map(\.label) == before.map(\.label))
    #expect(zip(before, after).map { $0.base === $1.base } == [true, false, true])
  }

  @Test(
    "Steps 2 and 6: the runs that the walk finds with the help of the table, and which of them stay"
  )
  func walk() {
    let section = SectionKey(rawValue: 1)
    let matching = old.updated(
      to: Array("abcdhfgxijkl"), table: old.table(section: section), section: section
    ).matching
    #expect(
      matching?.runs == [
        MatchedRun(old: 0, new: 0, count: 4), MatchedRun(old: 7, new: 4, count: 1),
        MatchedRun(old: 5, new: 5, count: 2), MatchedRun(old: 8, new: 8, count: 4),
      ])
    #expect(matching?.stays == [true, false, true, true])
    #expect(matching?.departures == [4..<5] && matching?.inserts == [7..<8])
    #expect(matching?.arrivals.isEmpty == true)
  }

  @Test("Steps 3 and 4: shared runs, and what a window leaves over")
  func windows() {
    let matching = TreeComparison(old: old.base, new: new.base).matching
    #expect(
      matching.runs == [
        MatchedRun(old: 0, new: 0, count: 4), MatchedRun(old: 5, new: 5, count: 2),
        MatchedRun(old: 8, new: 8, count: 4),
      ])
    func letters(_ leftovers: [OrderMatching.Leftover]) -> String {
      String(leftovers.map { $0.element(as: Character.self) })
    }
    withExtendedLifetime((old, new, matching)) {
      #expect(letters(old.base.leftovers(at: matching.departures)) == "eh")
      #expect(letters(matching.arrivals) == "hx")
    }
  }
}

@Suite("Arrays on the storage of a tree")
struct ReuseTests {
  private static let section = SectionKey(rawValue: 3)

  /// What an array may be, next to the one before.
  enum Change: CaseIterable {
    case equal, oneInsert, oneDelete, oneReplaced, oneMove, filtered, blockDeleted, blockInserted
    case swappedBlocks, rotated, reversed, shuffled, allNew, interleaved, emptied, doubled

    func apply(to old: [Int], _ random: inout SplitMix64, next: inout Int) -> [Int] {
      func place() -> Int { random.number(below: old.count + 1) }
      func new(_ count: Int) -> [Int] {
        next += count
        return Array(next - count..<next)
      }
      var array = old
      let bounds = [place(), place()].sorted()
      let (low, high) = (bounds[0], bounds[1])
      switch self {
      case .equal: break
      case .oneInsert: array.insert(contentsOf: new(1), at: place())
      case .oneDelete: if !old.isEmpty { array.remove(at: random.number(below: old.count)) }
      case .oneReplaced:
        if !old.isEmpty { array[random.number(below: old.count)] = new(1)[0] }
      case .oneMove:
        if !old.isEmpty {
          let element = array.remove(at: random.number(below: old.count))
          array.insert(element, at: random.number(below: old.count))
        }
      case .filtered: array = old.filter { _ in !random.chance(oneIn: 4) }
      case .blockDeleted: array.removeSubrange(low..<high)
      case .blockInserted: array.insert(contentsOf: new(random.number(below: 200)), at: low)
      case .swappedBlocks: array = Array(old[high...]) + old[low..<high] + old[..<low]
      case .rotated: array = Array(old[low...]) + old[..<low]
      case .reversed: array.reverse()
      case .shuffled: array = random.shuffled(old)
      case .allNew: array = new(old.count)
      case .interleaved:
        array = old.flatMap { random.chance(oneIn: 2) ? [$0] : [$0] + new(1) }
      case .emptied: array = []
      case .doubled: array += random.sample(old, oneIn: 3)
      }
      return array
    }
  }

  @Test("Any array, one after the other", arguments: OrderTreeTests.shapes, [false, true])
  func content(shape: TreeShape, usesTable: Bool) {
    for seed in 0..<UInt64(rounds(2)) {
      var random = SplitMix64(seed: seed)
      var next = 300
      var elements = Array(0..<random.number(below: 300))
      var tree = ItemTree(elements, shape: shape)
      for step in 0..<scoped(usual: 15, wide: 40) {
        let old = (tree: tree, elements: elements)
        if elements.isEmpty || elements.count > 1_000 {
          elements = Array(next..<next + 100)
          next += 100
        }
        let change = random.element(of: Change.allCases) ?? .equal
        elements = change.apply(to: elements, &random, next: &next)
        let table = old.tree.table(section: Self.section, shifting: &random)
        let reused = old.tree.updated(
          to: elements, table: usesTable ? table : nil, section: Self.section)
        tree = reused.tree
        let comment: Comment = "seed \(seed), step \(step), \(change)"
        if let matching = reused.matching {
          #expect(
            matching.faults(from: old.tree, to: tree, section: Self.section) == [], comment)
          // The elements of a single leaf that have moved are matched later, with those of others.
          let isSmall = old.tree.leaves.count == 1 && elements.count <= shape.leafCapacity
          #expect(
            !usesTable || matching.arrivals.isEmpty || elements.count > 32 || isSmall, comment)
        } else if elements != old.elements {
          #expect(Set(elements).count < elements.count || shape.leafCapacity < 8, comment)
        }
        #expect(tree.faults(expecting: elements) == [], comment)
        #expect(old.tree.faults(expecting: old.elements) == [], comment)
        if elements == old.elements {
          #expect(tree.leafIdentities == old.tree.leafIdentities, comment)
        }
      }
    }
  }

  @Test("Leaves are shared where nothing changed", arguments: [false, true])
  func sharing(usesTable: Bool) {
    let elements = Array(0..<4_800)
    let tree = ItemTree(elements, shape: .items)
    let table = usesTable ? tree.table(section: Self.section) : nil
    let leafCount = tree.leaves.count
    func shared(_ array: [Int]) -> Int {
      let reused = tree.updated(to: array, table: table, section: Self.section).tree
      #expect(reused.faults(expecting: array) == [])
      return reused.sharedLeafCount(with: tree)
    }
    #expect(shared(elements) == leafCount)
    for place in [0, 1, 47, 48, 2_400, 4_799] {
      #expect(shared(Array(elements[..<place]) + [9_999] + elements[place...]) >= leafCount - 1)
      #expect(shared(Array(elements[..<place]) + elements[(place + 1)...]) >= leafCount - 1)
      #expect(
        shared(Array(elements[..<place]) + [9_999] + elements[(place + 1)...]) >= leafCount - 1)
    }
    // A new block at the border of two leaves; a short and a long block that go.
    #expect(shared(Array(elements[..<480]) + (9_000..<9_500) + elements[480...]) >= leafCount - 2)
    #expect(shared(Array(elements[..<100]) + elements[104...]) >= leafCount - 1)
    let gone = Array(elements[..<1_000]) + elements[3_000...]
    if usesTable {
      let untouched = tree.leaves.count { leaf in
        leaf.allSatisfy { !(1_000..<3_000).contains($0) }
      }
      #expect(shared(gone) >= untouched - 2)
      // Half of it stays whichever block is taken for the one that moved.
      #expect(shared(Array(elements[2_400...]) + elements[..<2_400]) >= leafCount / 2 - 2)
    }
  }
  @Test("Blocks come and go at the same places as often as they like")
  func recurringBlocks() {
    for seed in 0..<UInt64(rounds(8)) {
      var random = SplitMix64(seed: seed)
      let elements = Array(0..<1_500)
      func place() -> Int { random.number(below: elements.count + 1) }
      let bounds = [place(), place(), place()].sorted()
      var other = elements
      other.insert(contentsOf: 2_000..<2_000 + place(), at: bounds[2])
      other.removeSubrange(bounds[0]..<bounds[1])
      var tree = ItemTree(elements, shape: .items)
      for round in 0..<40 {
        let array = round.isMultiple(of: 2) ? other : elements
        let table = tree.table(section: Self.section, shifting: &random)
        let reused = tree.updated(to: array, table: table, section: Self.section)
        tree = reused.tree
        let comment: Comment = "seed \(seed), round \(round)"
        #expect(reused.matching != nil, comment)
        #expect(tree.faults(expecting: array) == [], comment)
      }
    }
  }
}
