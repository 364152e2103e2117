extension SnapshotKernels {
  /// Creates the kernels of some types, in code that is compiled once.
  @usableFromInline
  package convenience init<
    SectionID: Hashable & Sendable, ItemID: Hashable & Sendable
  >(
    of type: Snapshot<SectionID, ItemID>.Type, sections: ElementKernel, items: ElementKernel,
    models: ElementKernel? = nil
  ) {
    precondition(sections.type == SectionID.self && items.type == ItemID.self)
    self.init(
      sections: sections, items: items,
      records: .records(SectionRecord<SectionID, ItemID>.self, sections),
      facts: SectionRecord<SectionID, ItemID>.placeOfFacts, models: models)
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
