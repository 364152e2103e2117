/// What a snapshot knows of its identifiers; see ``ElementKernel``.
///
/// It is made with the first snapshot, in client code that knows the types. All snapshots derived
/// from that snapshot share it.
@usableFromInline package final class SnapshotKernels: Sendable {
  /// The kernel of section identifiers.
  package let sections: ElementKernel
  /// The kernel of item identifiers.
  package let items: ElementKernel
  /// The kernel of section records.
  package let records: ElementKernel
  /// Where records store their facts.
  @usableFromInline package let facts: SectionFacts.Place
  /// The kernel of the models that a source keeps for the items.
  package let models: ElementKernel?

  package init(
    sections: ElementKernel, items: ElementKernel, records: ElementKernel,
    facts: SectionFacts.Place, models: ElementKernel?
  ) {
    (self.sections, self.items, self.records) = (sections, items, records)
    (self.facts, self.models) = (facts, models)
  }
}
