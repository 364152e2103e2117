/// The addresses of a row: of its identifier, and of what the list shows for it.
///
/// In a source of identifiers both are the same. The addresses are in leaves of a tree, which
/// never change, so they are valid for as long as the tree is held.
@usableFromInline package struct RowPlace {
  package let item: UnsafeRawPointer
  /// The model or, if there is none, the identifier.
  @usableFromInline package let element: UnsafeRawPointer

  package init(item: UnsafeRawPointer, element: UnsafeRawPointer) {
    (self.item, self.element) = (item, element)
  }

  /// The identifier.
  package func item<ItemID>(as type: ItemID.Type = ItemID.self) -> ItemID {
    item.assumingMemoryBound(to: type).pointee
  }
}

extension Leaf {
  /// The row of an element.
  package func row(at offset: Int) -> RowPlace {
    RowPlace(item: span.address(offset), element: shown(at: offset))
  }

  /// The address of what the list shows for an element: of its model or, if there is none, its own.
  ///
  /// All leaves of a live state have models, or none.
  package func shown(at offset: Int) -> UnsafeRawPointer {
    models?.address(offset) ?? span.address(offset)
  }
}
