/// The entries of neighbouring elements of one leaf, each made when it is asked for.
@usableFromInline
struct LeafEntries<Hashes: RandomAccessCollection>: RandomAccessCollection
where Hashes.Element == UInt32, Hashes.Index == Int {
  @usableFromInline let hashes: Hashes
  /// Which of the hashes are those of the elements.
  @usableFromInline let indices: Range<Int>
  /// The index of the hash of the leaf's first element.
  @usableFromInline let leafStart: Int
  @usableFromInline let section: SectionKey
  @usableFromInline let label: LeafLabel

  @inlinable init(
    _ hashes: Hashes, at indices: Range<Int>, leafStart: Int = 0, section: SectionKey,
    label: LeafLabel
  ) {
    self.hashes = hashes
    self.indices = indices
    self.leafStart = leafStart
    self.section = section
    self.label = label
  }

  @inlinable var startIndex: Int { indices.lowerBound }
  @inlinable var endIndex: Int { indices.upperBound }

  @inlinable subscript(index: Int) -> IdentityTable.Entry {
    IdentityTable.Entry(
      hash: hashes[index], section: section, label: label, hint: index - leafStart)
  }
}

extension LeafEntries where Hashes == ContiguousArray<UInt32> {
  /// The entries of all elements of a leaf.
  @inlinable init<Element>(_ leaf: Leaf<Element>, section: SectionKey) {
    self.init(leaf.hashes, at: leaf.hashes.indices, section: section, label: leaf.label)
  }
}

extension [IdentityTable.Entry] {
  /// Adds entries of a leaf: often it is one, for which adding many at once does too much.
  @inlinable mutating func append<Hashes>(_ entries: LeafEntries<Hashes>) {
    if entries.count == 1 {
      append(entries[entries.startIndex])
    } else {
      append(contentsOf: entries)
    }
  }
}
