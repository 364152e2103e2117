/// What a snapshot knows of its identifiers; see ``ElementKernel``.
///
/// It is made where a snapshot begins, in the client that knows the types, and all that is made of that
/// snapshot shares it.
@usableFromInline final class SnapshotKernels: Sendable {
  /// Of section identifiers.
  let sections: ElementKernel
  /// Of item identifiers.
  let items: ElementKernel
  /// Of the records of sections.
  let records: ElementKernel
  /// Where records have their facts.
  let facts: SectionFacts.Place

  @usableFromInline init<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>(
    of type: Snapshot<SectionID, ItemID>.Type, sections: ElementKernel, items: ElementKernel
  ) {
    precondition(sections.type == SectionID.self && items.type == ItemID.self)
    self.sections = sections
    self.items = items
    records = .records(SectionRecord<SectionID, ItemID>.self, sections)
    facts = SectionFacts.place(in: SectionRecord<SectionID, ItemID>.self)
  }
}

extension Snapshot {
  /// The kernels, compiled for the types where this is inlined.
  @inlinable static func makeKernels() -> SnapshotKernels {
    SnapshotKernels(
      of: Self.self, sections: ElementKernel(SectionID.self), items: ElementKernel(ItemID.self))
  }
}
