/// A section as the order of sections stores it: two words besides its identifier.
///
/// Two records are equal if they are the same section.
package struct SectionRecord<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable,
  Sendable
{
  package let id: SectionID
  private(set) var body: SectionFacts

  init(
    id: SectionID, key: SectionKey, items: SectionItems<ItemID>,
    outline: HeldOutline<ItemID>? = nil, model: SectionContent? = nil
  ) {
    self.id = id
    body = SectionFacts(key: key, items: items, outline: outline, model: model)
  }

  /// The name of this section in the item table, even when the section moves.
  var key: SectionKey { body.key }

  /// The items of a list, or the visible items of an outline.
  package var items: SectionItems<ItemID> {
    get { body.items() }
    set { body = SectionFacts(key: key, items: newValue, outline: outline, model: model) }
  }

  /// The number of items.
  package var itemCount: Int { body.itemCount }

  /// The outline that these visible items belong to, if the section holds one.
  package var outline: HeldOutline<ItemID>? { body.outline() }

  /// The model of the section, in a source of models.
  package var model: SectionContent? {
    get { body.model }
    set { body = SectionFacts(key: key, items: items, outline: outline, model: newValue) }
  }

  /// The same section with other items, and the outline that they belong to.
  func showing(
    _ items: SectionItems<ItemID>, _ outline: HeldOutline<ItemID>?
  ) -> SectionRecord {
    SectionRecord(id: id, key: key, items: items, outline: outline, model: model)
  }

  package static func == (left: SectionRecord, right: SectionRecord) -> Bool {
    left.id == right.id
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }

  /// Where such records store their facts.
  static var placeOfFacts: SectionFacts.Place {
    guard let offset = MemoryLayout.offset(of: \SectionRecord.body) else {
      preconditionFailure("a record stores its body")
    }
    return SectionFacts.Place(offset: offset, stride: MemoryLayout<SectionRecord>.stride)
  }
}

extension ElementKernel {
  /// The kernel of the records of some sections.
  static func records<SectionID, ItemID>(
    _ type: SectionRecord<SectionID, ItemID>.Type, _ sections: ElementKernel
  ) -> ElementKernel {
    let place = type.placeOfFacts
    return ElementKernel(type, identifiedBy: sections) { first, count in
      var totals = Totals()
      for index in 0..<count {
        place.withFacts(ofRecordAt: first, index) { totals.append($0) }
      }
      return totals
    }
  }
}
