/// An outline as a section stores it: one word, and the same object if nothing changed.
package final class HeldOutline<ItemID: Hashable & Sendable>: SectionOutline {
  let value: Outline<ItemID>

  init(_ value: Outline<ItemID>) {
    self.value = value
  }

  package var count: Int { value.count }

  package var visibleItems: any SectionArray {
    ItemArray(value.visibleItems, value.kernel)
  }

  package func forEachHiddenHash(_ body: (UInt32) -> Void) { value.forEachHiddenHash(body) }

  package func appendItems(to elements: inout HashedElements) {
    value.rows.appendItems(to: &elements)
  }

  package func disclosure(ofItem item: UnsafeRawPointer) -> Disclosure? {
    value.disclosure(of: item.assumingMemoryBound(to: ItemID.self).pointee)
  }

  package func isEqual(to other: any SectionOutline) -> Bool {
    value == Self.of(other).value
  }

  package func showing(_ list: SectionFacts) -> (any SectionOutline)? {
    let items: SectionItems<ItemID> = list.items()
    return value.showing(items.array).map(HeldOutline.init)
  }

  package func comparison(
    from old: SectionFacts, to new: SectionFacts, visible: OrderMatching
  ) -> OutlineComparison {
    OutlineComparison(
      old: old, old.outline(of: ItemID.self)?.value, new: new, new.outline(of: ItemID.self)?.value,
      visible: visible)
  }

  /// The typed view of the outline of a section with such items.
  static func of(_ outline: any SectionOutline) -> HeldOutline {
    // It is called only for sections with these types; see `TypedRevisionNotes.of(_:)`.
    unsafeDowncast(outline, to: HeldOutline.self)
  }
}
