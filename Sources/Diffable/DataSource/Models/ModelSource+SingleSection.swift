/// Lists without sections.
extension ModelSource where SectionID == SingleSection {
  /// Replaces the whole list with models.
  ///
  /// As ``apply(_:section:sections:presentation:ifRevision:)-(_,_,[SectionID]?,_,_)``, with all
  /// models in one section. The section is there even if it is empty.
  ///
  /// - Complexity: O(n) comparisons for n models, and a hash for each model that is new or out of
  ///   place.
  @discardableResult @inlinable public func apply(
    _ models: sending some Sequence<Model>, presentation: Presentation = .animated,
    ifRevision expected: Revision? = nil
  ) throws(DataSourceError) -> Revision {
    try apply(
      models, section: { _ in SingleSection() }, sections: [SingleSection()],
      presentation: presentation, ifRevision: expected)
  }

  /// Enqueues all models of the list, without waiting.
  ///
  /// As ``enqueue(_:section:sections:presentation:)-(_,_,[SectionID]?,_)``.
  ///
  /// - Complexity: O(1), without a lock.
  @discardableResult public nonisolated func enqueue(
    _ models: [Model], presentation: Presentation = .animated
  ) -> Ticket {
    enqueue(
      models, section: { _ in SingleSection() }, sections: [SingleSection()],
      presentation: presentation)
  }

  /// Applies the lists of a sequence, one after another, until it ends.
  ///
  /// As ``follow(_:section:sections:presentation:)``.
  nonisolated(nonsending) public func follow<Lists: AsyncSequence>(
    _ lists: Lists, presentation: Presentation = .animated
  ) async throws where Lists.Element == [Model] {
    try await follow(
      lists, section: { _ in SingleSection() }, sections: [SingleSection()],
      presentation: presentation)
  }

  /// Appends models, and deletes the first rows of a list that becomes too long.
  ///
  /// As ``append(_:toSection:keepingLast:presentation:)``.
  @discardableResult public func append(
    _ models: sending some Sequence<Model>, keepingLast limit: Int? = nil,
    presentation: Presentation = .animated
  ) throws(DataSourceError) -> Revision {
    try append(
      models, toSection: SingleSection(), keepingLast: limit, presentation: presentation)
  }
}
