/// The entries of adjacent elements of one leaf, each made on demand.
struct LeafEntries<Hashes: RandomAccessCollection>: RandomAccessCollection
where Hashes.Element == UInt32, Hashes.Index == Int {
  let hashes: Hashes
  /// The indices of the elements' hashes.
  let indices: Range<Int>
  /// The index of the hash of the leaf's first element.
  let leafStart: Int
  let section: SectionKey
  let label: LeafLabel

  init(
    _ hashes: Hashes, at indices: Range<Int>, leafStart: Int = 0, section: SectionKey,
    label: LeafLabel
  ) {
    self.hashes = hashes
    self.indices = indices
    self.leafStart = leafStart
    self.section = section
    self.label = label
  }

  var startIndex: Int { indices.lowerBound }
  var endIndex: Int { indices.upperBound }

  subscript(index: Int) -> IdentityTable.Entry {
    IdentityTable.Entry(
      hash: hashes[index], section: section, label: label, hint: index - leafStart)
  }
}

extension LeafEntries where Hashes == UnsafeBufferPointer<UInt32> {
  /// The entries of all elements of a leaf, valid while the leaf is held.
  init(_ leaf: Leaf, section: SectionKey) {
    self.init(
      leaf.span.hashBuffer, at: 0..<leaf.count, section: section, label: leaf.label)
  }
}

extension [IdentityTable.Entry] {
  /// Adds the entries of all elements of a leaf.
  mutating func append(_ leaf: Leaf, section: SectionKey) {
    withExtendedLifetime(leaf) { append(LeafEntries(leaf, section: section)) }
  }

  /// Adds entries of a leaf: often it is one, for which the general append does too much.
  mutating func append<Hashes>(_ entries: LeafEntries<Hashes>) {
    if entries.count == 1 {
      append(entries[entries.startIndex])
    } else {
      append(contentsOf: entries)
    }
  }
}
