/// What a snapshot knows of its identifiers; see ``ElementKernel``.
///
/// It is made with the first snapshot, in client code that knows the types. All snapshots derived
/// from that snapshot share it.
@usableFromInline package final class SnapshotKernels: Sendable {
  /// The kernel of section identifiers.
  let sections: ElementKernel
  /// The kernel of item identifiers.
  package let items: ElementKernel
  /// The kernel of section records.
  let records: ElementKernel
  /// Where records store their facts.
  let facts: SectionFacts.Place
  /// The kernel of the models that a source keeps for the items.
  package let models: ElementKernel?

  @usableFromInline package init<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>(
    of type: Snapshot<SectionID, ItemID>.Type, sections: ElementKernel, items: ElementKernel,
    models: ElementKernel? = nil
  ) {
    precondition(sections.type == SectionID.self && items.type == ItemID.self)
    self.sections = sections
    self.items = items
    self.models = models
    records = .records(SectionRecord<SectionID, ItemID>.self, sections)
    facts = SectionFacts.place(in: SectionRecord<SectionID, ItemID>.self)
  }
}

extension Snapshot {
  /// The kernels, compiled for the types in the module that inlines this.
  ///
  /// - Parameter models: The kernel of the models that a source keeps for the items.
  @inlinable package static func makeKernels(models: ElementKernel? = nil) -> SnapshotKernels {
    SnapshotKernels(
      of: Self.self, sections: ElementKernel(SectionID.self), items: ElementKernel(ItemID.self),
      models: models)
  }
}
