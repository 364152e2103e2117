import DiffableTesting

@testable import Diffable
@testable import DiffableEngine

/// What is wrong with storage, found without the checks that the storage has of its own.
extension TypedTree {
  /// A tree with a kernel of its own.
  init(_ elements: some Sequence<Element>, shape: TreeShape) {
    self.init(Array(elements), shape: shape, kernel: ElementKernel(Element.self))
  }

  /// An empty tree with a kernel of its own.
  init(shape: TreeShape) {
    self.init([], shape: shape)
  }

  /// Everything by which the tree is not a proper tree of these elements; nothing, if it is one.
  func faults(expecting elements: [Element]) -> [String] {
    var faults: [String] = []
    let leaves = leaves
    if !leaves.joined().elementsEqual(elements) {
      faults.append("holds \(Array(leaves.joined())), not \(elements)")
    }
    if count != elements.count { faults.append("counts \(count), not \(elements.count)") }
    if isEmpty != elements.isEmpty { faults.append("is empty: \(isEmpty)") }
    let labels = leaves.map(\.label)
    if !zip(labels, labels.dropFirst()).allSatisfy(<) { faults.append("labels do not ascend") }
    if let root = base.root { collectFaults(of: root, height: root.height, into: &faults) }
    return faults
  }

  private func collectFaults(
    of node: OrderNode, height: Int, into faults: inout [String]
  ) {
    switch node {
    case .leaf(let base):
      let leaf = TypedLeaf<Element>(base: base)
      if height != 0 { faults.append("a leaf at height \(height)") }
      if leaf.isEmpty { faults.append("an empty leaf") }
      if leaf.count > shape.leafCapacity { faults.append("a leaf too full") }
      let hashes = leaf.map { UInt32(truncatingIfNeeded: $0.hashValue) | 1 }
      if !leaf.hashes.elementsEqual(hashes) { faults.append("untrue hashes") }
    case .inner(let inner):
      if inner.height != height { faults.append("height \(inner.height) at \(height)") }
      if inner.children.isEmpty { faults.append("an inner node without children") }
      if inner.children.count > shape.fanout { faults.append("too many children") }
      if inner.count != inner.children.reduce(0, { $0 + $1.node.count }) {
        faults.append("an untrue count of an inner node")
      }
      if base.hasTotals {
        var totals = Totals()
        for child in inner.children { totals.append(child.totals) }
        if inner.totals != totals { faults.append("untrue totals") }
      }
      for child in inner.children {
        if child.count != child.node.count { faults.append("an untrue count of a child") }
        if child.label != child.node.firstLabel { faults.append("an untrue label of a child") }
        collectFaults(of: child.node, height: height - 1, into: &faults)
      }
    }
  }

  /// The leaves as objects.
  var leafIdentities: Set<ObjectIdentifier> { Set(leaves.map(\.base.identity)) }

  /// How many leaves are the same objects in another tree.
  func sharedLeafCount(with other: TypedTree) -> Int {
    leafIdentities.intersection(other.leafIdentities).count
  }

  /// The entries of all elements, filed under a section.
  func entries(section: SectionKey) -> [IdentityTable.Entry] {
    leaves.flatMap { leaf in
      leaf.hashes.enumerated().map {
        .init(hash: $1, section: section, label: leaf.label, hint: $0)
      }
    }
  }

  /// A table of all elements.
  func table(section: SectionKey) -> IdentityTable {
    var table = IdentityTable()
    for entry in entries(section: section) { table.insert(entry) }
    return table
  }

  /// The same after edits that have shifted some elements in their leaves.
  func table(section: SectionKey, shifting random: inout SplitMix64) -> IdentityTable {
    var table = IdentityTable()
    for entry in entries(section: section) {
      let hint = random.chance(oneIn: 2) ? entry.hint : random.number(below: 256)
      table.insert(
        .init(hash: entry.hash, section: section, label: entry.label, hint: hint))
    }
    return table
  }
}

extension OrderMatching {
  /// Everything by which this does not say how two trees match, and what a table has to learn.
  func faults<Element>(
    from old: TypedTree<Element>, to new: TypedTree<Element>, section: SectionKey
  ) -> [String] {
    var faults: [String] = []
    let (before, after) = (Array(old.leaves.joined()), Array(new.leaves.joined()))
    var end = 0
    for run in runs {
      if run.new < end || run.count <= 0 { faults.append("\(run) out of order") }
      end = run.newRange.upperBound
      guard run.oldRange.upperBound <= before.count, end <= after.count,
        before[run.oldRange].elementsEqual(after[run.newRange])
      else {
        faults.append("\(run) is no match")
        continue
      }
    }
    let gone = departures.flatMap { Array($0) }
    let come = inserts.flatMap { Array($0) }
    if (runs.flatMap { Array($0.oldRange) } + gone).sorted() != Array(before.indices) {
      faults.append("old places not covered once")
    }
    if (runs.flatMap { Array($0.newRange) } + come + arrivals.map(\.position)).sorted()
      != Array(after.indices)
    {
      faults.append("new places not covered once")
    }
    defer { withExtendedLifetime((self, old, new)) {} }
    let left = old.base.leftovers(at: departures)
    for leftover in arrivals + left
    where leftover.hash != leftover.element(as: Element.self).storedHash {
      faults.append("an untrue hash")
    }
    if arrivals.contains(where: { $0.element(as: Element.self) != after[$0.position] }) {
      faults.append("an arrival that is not there")
    }
    if !left.map({ $0.element(as: Element.self) }).elementsEqual(gone.map { before[$0] }) {
      faults.append("departures that were not there")
    }
    if come.contains(where: { before.contains(after[$0]) }) {
      faults.append("an insert of what was there")
    }
    if stays != nil, stays != runs.heaviestIncreasingSubsequence() {
      faults.append("other runs stay")
    }
    if let changes {
      var table = old.table(section: section)
      for entry in changes.removed { table.remove(entry) }
      for entry in changes.inserted { table.insert(entry) }
      if table.entryCounts != new.entries(section: section).counts {
        faults.append("changes that lead elsewhere")
      }
      let leaves = Dictionary(uniqueKeysWithValues: new.leaves.map { ($0.label, $0) })
      for entry in changes.inserted {
        guard let hashes = leaves[entry.label]?.hashes, hashes.indices.contains(entry.hint),
          hashes[entry.hint] == entry.hash
        else {
          faults.append("an entry with a hint at another element")
          continue
        }
      }
    }
    return faults
  }
}

extension [IdentityTable.Entry] {
  /// How often each is there.
  var counts: [IdentityTable.Entry: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}

extension IdentityTable {
  /// All entries, and how often each is there.
  var entryCounts: [Entry: Int] {
    var counts: [Entry: Int] = [:]
    for segment in segments { segment.forEachEntry { counts[$0, default: 0] += 1 } }
    return counts
  }

  /// The number of slots, used or free.
  var totalSlotCount: Int { segments.reduce(0) { $0 + $1.slots.count } }

  /// Everything by which this is not a proper table of these entries.
  func faults(expecting entries: [Entry: Int]) -> [String] {
    var faults: [String] = []
    if entryCounts != entries { faults.append("other entries than expected") }
    if count != entries.values.reduce(0, +) { faults.append("counts \(count)") }
    if directory.count != 1 << depth { faults.append("directory of \(directory.count)") }
    for (slot, index) in directory.enumerated() {
      let segment = segments[Int(index)]
      if segment.depth > depth || slot >> (depth - segment.depth) != segment.prefix {
        faults.append("directory slot \(slot) leads to a segment of another prefix")
      }
    }
    if Set(directory).count != segments.count { faults.append("a segment without a way to it") }
    if deepest != segments.count(where: { $0.depth == depth }) {
      faults.append("\(deepest) deepest segments")
    }
    for segment in segments { faults += segment.faults }
    return faults
  }
}

extension IdentityTable.Segment {
  fileprivate var faults: [String] {
    var faults: [String] = []
    if slots.count.nonzeroBitCount != 1 { faults.append("\(slots.count) slots") }
    let used = slots.indices.filter { slots[$0].hash != 0 }
    if used.count != count { faults.append("a segment counts \(count), not \(used.count)") }
    if used.count == slots.count { faults.append("a segment without a free slot") }
    for slot in used {
      let hash = slots[slot].hash
      if depth > 0, Int(hash >> UInt32(32 - depth)) != prefix {
        faults.append("an entry in the wrong segment")
      }
      var step = home(of: hash)
      while step != slot, slots[step].hash != 0 { step = (step + 1) & (slots.count - 1) }
      if step != slot { faults.append("a gap before an entry") }
    }
    return faults
  }
}

extension HashedElements {
  /// A content with a kernel of its own.
  init<Element: Hashable & Sendable>(hashing elements: some Collection<Element>) {
    self.init(hashing: elements, ElementKernel(Element.self))
  }
}

extension TypedLeaf {
  /// The hashes of the elements.
  fileprivate var hashes: [UInt32] { withExtendedLifetime(base) { Array(base.span.hashBuffer) } }
}
