extension Snapshot {
  /// The items of a section, without copying them.
  ///
  /// Indices count from 0 inside the section. Access by index costs O(log m) for m items; iterating
  /// over all of them costs O(m).
  public struct Items: RandomAccessCollection, Sendable {
    let base: SectionItems<ItemID>

    init(base: SectionItems<ItemID>) {
      self.base = base
    }

    /// The index of the first item: 0.
    public var startIndex: Int { 0 }
    /// The number of items.
    public var endIndex: Int { base.count }
    /// The item at an index inside the section.
    public subscript(index: Int) -> ItemID { base[index] }

    /// Creates an iterator over the items, first to last.
    public func makeIterator() -> Iterator { Iterator(base) }

    /// An iterator over the items of a section.
    ///
    /// It reads adjacent items together, so most steps are an array access.
    public struct Iterator: IteratorProtocol {
      @usableFromInline var items: [ItemID]
      @usableFromInline var position = 0
      private var leaves: Array<TypedLeaf<ItemID>>.Iterator

      init(_ section: SectionItems<ItemID>) {
        switch section {
        case .array(let array):
          items = array.items
          leaves = [].makeIterator()
        case .tree(let tree):
          items = []
          leaves = tree.leaves.makeIterator()
        }
      }

      /// The next item, or `nil` after the last one.
      @inlinable public mutating func next() -> ItemID? {
        if position == items.count, !takeNeighbours() { return nil }
        position += 1
        return items[position - 1]
      }

      /// Takes the items of the next leaf; returns whether there is one.
      @usableFromInline mutating func takeNeighbours() -> Bool {
        guard let leaf = leaves.next() else { return false }
        (items, position) = (Array(leaf.elements), 0)
        return true
      }
    }
  }
}
