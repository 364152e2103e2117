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
  /// Of the models that a source keeps beside the items.
  let models: ElementKernel?

  @usableFromInline init<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>(
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
  /// The kernels, compiled for the types where this is inlined.
  ///
  /// - Parameter models: The kernel of the models that a source keeps beside the items.
  @inlinable static func makeKernels(models: ElementKernel? = nil) -> SnapshotKernels {
    SnapshotKernels(
      of: Self.self, sections: ElementKernel(SectionID.self), items: ElementKernel(ItemID.self),
      models: models)
  }
}
