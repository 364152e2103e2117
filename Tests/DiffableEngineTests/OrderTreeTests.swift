import DiffableTesting
import Testing
import TestScope

@testable import Diffable
@testable import DiffableEngine

@Suite("Persistent trees against plain arrays")
struct OrderTreeTests {
  static let shapes =
    [(2, 2), (2, 3), (3, 2), (3, 4), (4, 3), (4, 4)]
    .map { TreeShape(leafCapacity: $0, fanout: $1) } + [
      .items, .sections, TreeShape(leafCapacity: 1, fanout: 2),
    ]

  private typealias Version = (tree: ItemTree<Int>, elements: [Int])
  private static let section = SectionKey(rawValue: 7)

  @Test("Any script of edits, old versions kept", arguments: shapes)
  func scripts(shape: TreeShape) {
    for seed in 0..<UInt64(rounds(2)) {
      var script = Script(seed: seed, shape: shape)
      var table = IdentityTable()
      var versions: [Version] = []
      for step in 0..<scoped(usual: 32, wide: 80) {
        let comment: Comment = "seed \(seed), step \(step)"
        let old = script.tree
        let delta = script.edit()
        versions.append((script.tree, script.elements))
        expectDelta(delta, from: old, to: script.tree, comment)
        var changes = IdentityChanges()
        changes.append(delta, section: Self.section)
        for entry in changes.removed { table.remove(entry) }
        for entry in changes.inserted { table.insert(entry) }
        let entries = script.tree.entries(section: Self.section).counts
        #expect(table.faults(expecting: entries) == [], comment)
        if step % 4 == 0 {
          for other in versions.suffix(4) {
            expectComparison(other, versions[step], comment)
            expectComparison(versions[step], other, comment)
          }
        }
      }
      for (step, version) in versions.enumerated() {
        #expect(
          version.tree.faults(expecting: version.elements) == [], "seed \(seed), version \(step)")
      }
    }
  }

  @Test("Labels run out where everything is inserted", arguments: shapes)
  func onePlace(shape: TreeShape) {
    let places: [(String, (Int) -> Int)] = [
      ("front", { _ in 0 }), ("end", { $0 }), ("middle", { $0 / 2 }), ("second", { min(1, $0) }),
      ("before the last", { max(0, $0 - 1) }),
    ]
    for (name, place) in places {
      var tree = ItemTree<Int>(0..<20, shape: shape)
      var elements = Array(0..<20)
      let first = Array(elements)
      let kept = tree
      for number in 100..<scoped(usual: 200, wide: 450) {
        let index = place(elements.count)
        elements.insert(number, at: index)
        _ = tree.replaceSubrange(index..<index, with: HashedElements(hashing: [number]))
        if number % 50 == 0 { #expect(tree.faults(expecting: elements) == [], "\(name)") }
      }
      #expect(tree.faults(expecting: elements) == [], "\(name)")
      #expect(kept.faults(expecting: first) == [], "\(name)")
    }
  }

  @Test("Labels at either end of the numbers", arguments: shapes)
  func extremeLabels(shape: TreeShape) {
    for start in [0, LeafLabel.greatest.rawValue - 2] {
      let leaves = (0..<3).map { index in
        HashedElements(hashing: [Int(index)]).leaf(LeafLabel(rawValue: start + index))
      }
      for place in 0...3 {
        var tree = ItemTree<Int>(
          OrderTree(leaves: leaves, shape: shape, kernel: ElementKernel(Int.self)))
        var elements = [0, 1, 2]
        for number in 10..<scoped(usual: 80, wide: 200) {
          elements.insert(number, at: place)
          _ = tree.replaceSubrange(place..<place, with: HashedElements(hashing: [number]))
        }
        #expect(tree.faults(expecting: elements) == [], "from \(start) at \(place)")
      }
    }
  }

  @Test("Labels lie strictly between their neighbours, or there are none")
  func labels() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<2_000 {
      func number() -> UInt64 { random.next() >> UInt64(8 + random.number(below: 56)) }
      let (one, other) = (number(), number())
      let lower = random.chance(oneIn: 4) ? nil : LeafLabel(rawValue: min(one, other))
      let upper = random.chance(oneIn: 4) ? nil : LeafLabel(rawValue: max(one, other))
      if let lower, let upper, lower == upper { continue }
      let count = random.number(below: 6)
      guard let labels = LeafLabel.labels(count, after: lower, before: upper) else {
        let end = upper ?? .greatest
        #expect(end.rawValue - (lower?.rawValue ?? 0) <= count, "there is room for \(count)")
        continue
      }
      let all = (lower.map { [$0] } ?? []) + labels + (upper.map { [$0] } ?? [])
      #expect(labels.count == count)
      #expect(zip(all, all.dropFirst()).allSatisfy(<), "\(all)")
    }
  }

  // MARK: Some elements of a tree, as a tree that shares its leaves

  @Test("Some elements are a tree that shares whole leaves", arguments: shapes)
  func selecting(shape: TreeShape) {
    for seed in 0..<UInt64(rounds(20)) {
      var random = SplitMix64(seed: seed)
      let count = random.number(below: 400)
      let tree = ItemTree<Int>(0..<count, shape: shape)
      let start = random.number(below: count + 1)
      let positions =
        random.chance(oneIn: 2)
        ? 0..<count : start..<start + random.number(below: count - start + 1)
      // Whole stretches, and scattered elements.
      let odds = 1 + random.number(below: 5)
      let stretch = 1 + random.number(below: 90)
      let dice = (0..<count / stretch + 1).map { _ in random.chance(oneIn: odds) }
      let isWanted: (Int) -> Bool = { dice[$0 / stretch] }
      let selected = tree.base.selecting(positions) { leaf, candidates in
        (0..<leaf.count).reduce(0) { bits, offset in
          let element = TypedLeaf<Int>(base: leaf)[offset]
          return isWanted(element) ? bits | 1 << UInt64(offset) : bits
        } & candidates
      }
      let comment: Comment = "seed \(seed), \(shape)"
      let expected = positions.filter(isWanted)
      #expect(ItemTree<Int>(selected).faults(expecting: expected) == [], comment)
      let labels = Set(tree.leaves.map(\.label))
      #expect(selected.leaves.allSatisfy { labels.contains($0.label) }, comment)
      if expected.count == count { #expect(selected.isIdentical(to: tree.base), comment) }
      // A leaf is made again only if it, or the one before, does not stay whole.
      let made = selected.leaves.filter { leaf in !tree.leaves.contains { $0.base === leaf } }
      if odds == 1 { #expect(made.count <= 2, comment) }
    }
  }

  // MARK: What trees know of their subtrees

  @Test("The index in the flat list is the number of items before")
  func indexOfItem() throws {
    var generator = SnapshotGenerator(seed: 5, section: { $0 }, item: { $0 })
    for sections in [1, 2, 5, 60, 600] {
      let snapshot = generator.snapshot(.uneven(sections: sections, items: 300))
      for (index, item) in snapshot.itemIdentifiers.enumerated() {
        #expect(snapshot.indexOfItem(item) == index)
      }
    }
  }

  // MARK: The shapes that a tree can have

  @Test("a leaf of 64 elements can be reused, whatever of it has passed")
  func fullLeaf() {
    let shape = TreeShape(leafCapacity: 64, fanout: 2)
    let old = Array(0..<640)
    let tree = ItemTree(old, shape: shape)
    for new in [
      Array(old.reversed()), Array(old.dropFirst(63)),
      old.filter { $0 % 2 == 1 } + old.filter { $0 % 2 == 0 },
    ] {
      let reused = tree.updated(to: new, table: nil, section: SectionKey(rawValue: 0)).tree
      #expect(reused.faults(expecting: new) == [])
    }
  }

  @Test("Impossible shapes stop the program at once")
  func impossible() async {
    await #expect(processExitsWith: .failure) { _ = TreeShape(leafCapacity: 65, fanout: 4) }
    await #expect(processExitsWith: .failure) { _ = TreeShape(leafCapacity: 0, fanout: 4) }
    await #expect(processExitsWith: .failure) { _ = TreeShape(leafCapacity: 4, fanout: 1) }
  }

  // MARK: Laws

  private func expectDelta(
    _ delta: LeafDelta, from old: ItemTree<Int>, to new: ItemTree<Int>, _ comment: Comment
  ) {
    let (before, after) = (old.leafIdentities, new.leafIdentities)
    #expect(Set(delta.removed.map(\.identity)) == before.subtracting(after), comment)
    #expect(Set(delta.added.map(\.identity)) == after.subtracting(before), comment)
    for labels in [delta.removed.map(\.label), delta.added.map(\.label)] {
      #expect(zip(labels, labels.dropFirst()).allSatisfy(<), comment)
    }
  }

  private func expectComparison(_ old: Version, _ new: Version, _ comment: Comment) {
    expectWindows(old, new, comment)
    expectDelta(
      LeafDelta(from: old.tree.base, to: new.tree.base), from: old.tree, to: new.tree, comment)
    let comparison = TreeComparison(
      old: old.tree.base, new: new.tree.base, section: Self.section, keepingPairs: true)
    let matching = comparison.matching
    #expect(matching.runs.map(\.old) == matching.runs.map(\.old).sorted(), comment)
    #expect(
      matching.faults(from: old.tree, to: new.tree, section: Self.section) == [], comment)
    withExtendedLifetime((old, new, comparison)) {
      for pair in comparison.comparedPairs {
        let oldElement = pair.oldAddress.load(as: Int.self)
        #expect(oldElement == pair.newAddress.load(as: Int.self), comment)
        #expect(
          oldElement == old.elements[pair.old] && oldElement == new.elements[pair.new], comment)
      }
    }
    if old.elements == new.elements { #expect(matching.isEqual, comment) }
  }

  /// Stretches cover both sides without a gap, and no shared leaf is in a window.
  private func expectWindows(_ old: Version, _ new: Version, _ comment: Comment) {
    var (oldEnd, newEnd) = (0, 0)
    LeafWindows.forEach(old: old.tree.base, new: new.tree.base) { stretch in
      switch stretch {
      case .shared(let run):
        #expect(run.old == oldEnd && run.new == newEnd, comment)
        #expect(old.elements[run.oldRange] == new.elements[run.newRange], comment)
        (oldEnd, newEnd) = (run.oldRange.upperBound, run.newRange.upperBound)
      case .changed(let window):
        #expect(window.oldBase == oldEnd && window.newBase == newEnd, comment)
        let left = window.old.compactMap { $0.leaf?.identity }
        let right = window.new.compactMap { $0.leaf?.identity }
        #expect(Set(left).isDisjoint(with: right), comment)
        oldEnd += window.old.reduce(0) { $0 + $1.count }
        newEnd += window.new.reduce(0) { $0 + $1.count }
      }
    }
    #expect(oldEnd == old.elements.count && newEnd == new.elements.count, comment)
  }
}

/// Random edits of a tree and of an array.
private struct Script {
  var random: SplitMix64
  var tree: ItemTree<Int>
  var elements: [Int] = []
  var next = 0

  init(seed: UInt64, shape: TreeShape) {
    random = SplitMix64(seed: seed)
    tree = ItemTree(shape: shape)
  }

  mutating func edit() -> LeafDelta {
    switch random.number(below: elements.isEmpty ? 5 : 10) {
    case 0...4:
      let place = random.number(below: elements.count + 1)
      let length =
        random.chance(oneIn: 2) ? 0 : random.number(below: min(20, elements.count - place) + 1)
      // Some of the new elements stand in the tree already.
      let old = random.sample(elements, oneIn: 12)
      let new = (0..<random.number(below: random.chance(oneIn: 8) ? 150 : 4)).map { next + $0 }
      next += new.count
      let range = place..<place + length
      elements.replaceSubrange(range, with: new + old)
      return tree.replaceSubrange(range, with: HashedElements(hashing: ContiguousArray(new + old)))
    case 5...8:
      let share = [1, 2, 5, 40][random.number(below: 4)]
      let gone = elements.indices.filter { _ in random.chance(oneIn: share) }
      elements = elements.indices.filter { !gone.contains($0) }.map { elements[$0] }
      return tree.base.remove(at: gone)
    default:
      // The same element again, in a leaf of its own making.
      let place = random.number(below: elements.count)
      let old = tree
      tree.replaceElement(at: place, with: elements[place])
      return LeafDelta(from: old.base, to: tree.base)
    }
  }
}
