public import Diffable

extension ListSource {
  /// Returns a source that shows this one through a query.
  ///
  /// - Parameters:
  ///   - options: What all kinds of sources let a program choose; if it is `nil`, the history and the clock
  ///     of this source.
  ///   - query: What to show, beginning with the whole list.
  /// - Complexity: O(1). The query is computed when a subscriber requests the result.
  public nonisolated func derived<Output>(
    options: SourceOptions? = nil,
    _ query: (ListQuery<Batch, Batch>) -> ListQuery<Batch, Output>
  ) -> DerivedSource<Batch, Output> {
    DerivedSource(
      [SourceFeed(self)], OneSource(), reader.kernels, query(ListQuery()),
      options ?? SourceOptions(following: reader.hub),
      dragged: BaseSource(self))
  }

  /// Returns a source that shows this list and another one as a single list.
  ///
  /// Sections of this source are first. A section that both have is one section, with the rows of
  /// this source before the rows of the other. A row that both have is placed where this source has
  /// it, and shows the element of this source. To merge more sources, merge them one after another
  /// and derive from the result.
  ///
  /// - Parameters:
  ///   - other: The other source.
  ///   - options: What all kinds of sources let a program choose; if it is `nil`, the history and the clock
  ///     of this source.
  /// - Complexity: O(1). The lists are merged when a subscriber requests a batch: O(n · log n) for
  ///   n rows, and O(c · log² n) for c rows that change afterwards.
  public nonisolated func merged<Other: ListSource>(
    with other: Other, options: SourceOptions? = nil
  ) -> DerivedSource<Batch, Batch>
  where Other.Batch == Batch, Other.SectionID == SectionID, Other.ItemID == ItemID {
    DerivedSource(
      [SourceFeed(self), SourceFeed(other)],
      SourceMerge(element: Element.self),
      reader.kernels, ListQuery(), options ?? SourceOptions(following: reader.hub))
  }
}

extension ListSource {
  /// Returns a source that shows rows together with rows that they name in another source.
  ///
  /// ```swift
  /// let rows = messages.joined(with: people, by: \.author) { message, person in
  ///   MessageRow(id: message.id, text: message.text, name: person?.name ?? "somebody")
  /// }
  /// ```
  ///
  /// The result has the rows of this source, in its order. Rows follow both sources: when a person
  /// is renamed, the rows of their messages are updated. Only visible rows of the other source are
  /// found.
  ///
  /// - Parameters:
  ///   - other: The source in which rows are looked up.
  ///   - key: The identifier of the row to look up for an element; `nil` for none.
  ///   - options: What all kinds of sources let a program choose; if it is `nil`, the history and the clock
  ///     of this source.
  ///   - transform: The model to show for an element and for what was found. Its `id` should be the
  ///     row's.
  /// - Complexity: O(1). Rows are looked up when a subscriber requests a batch: O(n · log m) for n
  ///   rows here and m in the other source, O(log n + log m) for each row that changes here, and
  ///   for each row that names a changed row of the other source.
  @inlinable
  public nonisolated func joined<
    Other: ListSource, Model: Identifiable & Equatable & Sendable
  >(
    with other: Other, by key: @escaping @Sendable (Element) -> Other.ItemID?,
    options: SourceOptions? = nil,
    _ transform: @escaping @Sendable (Element, Other.Element?) -> Model
  ) -> DerivedSource<ModelBatch<SectionID, Model>, ModelBatch<SectionID, Model>>
  where Model.ID == ItemID {
    let models = ElementKernel(models: Model.self)
    return joined(
      with: other, Snapshot<SectionID, ItemID>.makeKernels(models: models),
      key: { lend($0, to: key) },
      map: { state in
        RowMap(models) { (element: Element) -> Model in
          transform(element, key(element).flatMap { Other.visibleElement(for: $0, in: state) })
        }
      }, options)
  }

  @usableFromInline nonisolated func joined<Other: ListSource, Joined: ListBatch>(
    with other: Other, _ kernels: SnapshotKernels,
    key: @escaping @Sendable (UnsafeRawPointer) -> Other.ItemID?,
    map: @escaping @Sendable (Snapshot<Other.SectionID, Other.ItemID>) -> RowMap,
    _ options: SourceOptions?
  ) -> DerivedSource<Joined, Joined>
  where Joined.SectionID == SectionID, Joined.ItemID == ItemID {
    DerivedSource(
      [SourceFeed(self), SourceFeed(other)],
      SourceJoin(
        element: Element.self, key: key, map: map, kernels, other: other.reader.kernels),
      kernels, ListQuery(), options ?? SourceOptions(following: reader.hub))
  }
}

extension ListSource {
  /// What a state of this source shows for an item; `nil` if it is hidden or does not exist.
  @usableFromInline static func visibleElement(
    for item: ItemID, in snapshot: Snapshot<SectionID, ItemID>
  ) -> Element? {
    snapshot.itemPath(for: item) == nil ? nil : element(for: item, in: snapshot)
  }
}
