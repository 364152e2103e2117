extension Snapshot {
  /// The items of a section, without a copy of them.
  ///
  /// Indices count from 0 inside the section. Reaching an item by its index costs O(log m) for m
  /// items; walking them all costs O(m).
  public struct Items: RandomAccessCollection, Sendable {
    @usableFromInline let base: SectionItems<ItemID>

    @inlinable init(base: SectionItems<ItemID>) {
      self.base = base
    }

    /// The index of the first item: 0.
    @inlinable public var startIndex: Int { 0 }
    /// The number of items.
    @inlinable public var endIndex: Int { base.count }
    /// The item at an index inside the section.
    @inlinable public subscript(index: Int) -> ItemID { base[index] }

    /// Creates an iterator over the items, first to last.
    @inlinable public func makeIterator() -> Iterator { Iterator(base) }

    /// A walk over the items of a section.
    public struct Iterator: IteratorProtocol {
      @usableFromInline var leaves: Array<Leaf<ItemID>>.Iterator
      @usableFromInline var elements: ContiguousArray<ItemID>.Iterator
      @usableFromInline var array: Array<ItemID>.Iterator

      @inlinable init(_ items: SectionItems<ItemID>) {
        elements = ContiguousArray<ItemID>().makeIterator()
        switch items {
        case .array(let items):
          array = items.makeIterator()
          leaves = [].makeIterator()
        case .tree(let tree):
          array = Array<ItemID>().makeIterator()
          leaves = tree.leaves.makeIterator()
        }
      }

      /// The next item, or `nil` behind the last one.
      @inlinable public mutating func next() -> ItemID? {
        if let item = array.next() { return item }
        if let item = elements.next() { return item }
        guard let leaf = leaves.next() else { return nil }
        elements = leaf.elements.makeIterator()
        return elements.next()
      }
    }
  }
}
