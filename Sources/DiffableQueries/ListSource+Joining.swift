public import Diffable

/// Joins in which each row of this source names at most one of the other.
extension ListSource {
  /// Returns a source that shows rows together with rows that they name in another source.
  ///
  /// ```swift
  /// let rows = messages.joined(with: people, by: \.author) { message, person in
  ///   MessageRow(id: message.id, text: message.text, name: person?.name ?? "somebody")
  /// }
  /// ```
  ///
  /// It is a left join: the result has the rows of this source, in its order, and a row without a partner is
  /// shown with `nil`. Rows follow both sources: when a person is renamed, the rows of their messages are
  /// updated, and no others. Only visible rows of the other source are found. A drag moves the row in this source.
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
    typealias Partners = RowPartners<Other.SectionID, Other.ItemID>
    return DerivedSource(
      [SourceFeed(self), SourceFeed(other)],
      SourceJoin<SectionID, SectionID, ItemID, Partners>(
        "joined(with:by:)", .kept(key), .map(map, Snapshot(other.reader.kernels), kernels),
        StepRules(element: Element.self, sections: .same(SameSections())),
        Partners(areRead: true)),
      kernels, ListQuery(), options, dragged: BaseSource(self))
  }

  /// What a state of this source shows for an item; `nil` if it is hidden or does not exist.
  @usableFromInline static func visibleElement(
    for item: ItemID, in snapshot: Snapshot<SectionID, ItemID>
  ) -> Element? {
    snapshot.itemPath(for: item) == nil ? nil : element(for: item, in: snapshot)
  }
}

/// Joins in which each row of the other source names at most one of this one.
extension ListSource where Element: Identifiable & Equatable, Element.ID == ItemID {
  /// Returns a source that shows rows together with all rows of another source that name them.
  ///
  /// ```swift
  /// let rows = customers.joined(withMany: orders, by: \.customer) { customer, orders in
  ///   CustomerRow(id: customer.id, text: "\(customer.name): \(orders.count) orders")
  /// }
  /// ```
  ///
  /// The result has the rows of this source, in its order; the others are a value of the row. When an order
  /// changes, the row of its customer is updated, and no other. A drag moves the row in this source.
  ///
  /// - Parameters:
  ///   - other: The source with many rows for a row here.
  ///   - key: The identifier of the row that an element of the other source names; `nil` for none.
  ///   - options: What all kinds of sources let a program choose; if it is `nil`, the history and the clock
  ///     of this source.
  ///   - transform: The model to show for an element and for those that name it, in their order. Its `id`
  ///     should be the row's.
  /// - Complexity: O(1). Rows are made when a subscriber requests a batch: O(n + m) for n rows here and m in
  ///   the other source. Afterwards O(log n + log m) for each row that changes, and one call of `transform` with
  ///   all k partners of a row, if it or one of them changes.
  @inlinable
  public nonisolated func joined<
    Other: ListSource, Model: Identifiable & Equatable & Sendable
  >(
    withMany other: Other, by key: @escaping @Sendable (Other.Element) -> ItemID?,
    options: SourceOptions? = nil,
    _ transform: @escaping @Sendable (Element, [Other.Element]) -> Model
  ) -> DerivedSource<ModelBatch<SectionID, Model>, ModelBatch<SectionID, Model>>
  where Model.ID == ItemID {
    let models = ElementKernel(models: Model.self)
    return joined(
      withMany: other, RowKeys(Other.Element.self, key, { _, _ in false }),
      Snapshot<SectionID, ItemID>.makeKernels(models: models),
      map: { groups in
        RowMap(models) { (element: Element) -> Model in
          transform(element, groups.elements(ofGroup: element.id, as: Other.Element.self))
        }
      }, options)
  }

  @usableFromInline nonisolated func joined<Other: ListSource, Joined: ListBatch>(
    withMany other: Other, _ keys: RowKeys<ItemID?>, _ kernels: SnapshotKernels,
    map: @escaping @Sendable (Snapshot<ItemID?, Other.ItemID>) -> RowMap,
    _ options: SourceOptions?
  ) -> DerivedSource<Joined, Joined>
  where Joined.SectionID == SectionID, Joined.ItemID == ItemID {
    typealias Partners = GroupPartners<Other.SectionID, Other.ItemID, ItemID>
    let others = other.reader.kernels
    return DerivedSource(
      [SourceFeed(self), SourceFeed(other)],
      SourceJoin<SectionID, SectionID, ItemID, Partners>(
        "joined(withMany:by:)", .kept { lend($0) { (element: Element) in element.id } },
        .map(map, Snapshot(Partners.kernels(others)), kernels),
        StepRules(element: Element.self, sections: .same(SameSections())),
        Partners(keys, element: Other.Element.self, others)),
      kernels, ListQuery(), options, dragged: BaseSource(self))
  }

  /// Returns a source that shows a row for each row of another source, together with the row here that it names.
  ///
  /// ```swift
  /// let rows = customers.joined(withEachOf: orders, by: \.customer, .full(unmatchedIn: "no customer"))
  /// ```
  ///
  /// The list has the sections of this source. The orders of a customer follow the place of the customer, in
  /// the order of the other source. The kind of the join says which rows without a partner are shown. A row of an
  /// order stays the same row when the order changes, or names another customer: then it moves. When a
  /// customer changes, the rows of its orders are updated, and no others.
  ///
  /// For two lists in which rows of both have several partners, join with a list of the pairs twice. Drags are
  /// refused.
  ///
  /// - Parameters:
  ///   - other: The source with many rows for a row here.
  ///   - key: The identifier of the row that an element of the other source names; `nil` for none.
  ///   - kind: Which rows without a partner are shown.
  ///   - options: What all kinds of sources let a program choose; if it is `nil`, the history and the clock
  ///     of this source.
  /// - Complexity: O(1). Rows are made when a subscriber requests a batch: O(n + m) for n rows here and m in
  ///   the other source. Afterwards O(log n + log m) for each row of the other source that changes; a row here
  ///   counts with all its partners.
  @inlinable
  public nonisolated func joined<Other: ListSource>(
    withEachOf other: Other, by key: @escaping @Sendable (Other.Element) -> ItemID?,
    _ kind: JoinKind<SectionID> = .left, options: SourceOptions? = nil
  ) -> DerivedSource<
    ModelBatch<SectionID, JoinedRow<Element, Other.Element>>,
    ModelBatch<SectionID, JoinedRow<Element, Other.Element>>
  >
  where Other.Element: Identifiable & Equatable, Other.Element.ID == Other.ItemID {
    nested(
      other, by: key, RowKeys(Other.Element.self, key, { _, _ in false }),
      Snapshot<SectionID, JoinedID<ItemID, Other.ItemID>>.makeKernels(
        models: ElementKernel(models: JoinedRow<Element, Other.Element>.self)),
      kind, isTree: false, isExpanded: true, options)
  }

  /// Returns a source that shows a tree of this source and another one: each row of the other below the row
  /// here that it names.
  ///
  /// ```swift
  /// let tree = customers.outlined(withEachOf: orders, by: \.customer)
  /// ```
  ///
  /// Rows here are at the top, and have no other parents. Rows of the other source show nothing of the row
  /// that they name. So when a customer changes, its row alone is updated. If `unmatchedIn` names a section, rows of
  /// the other source without a partner are at the top there, after all others.
  ///
  /// The tree is made by the query of the result, as ``ListQuery/outlined(id:by:isExpanded:)`` makes one. To search
  /// it, or to count what is below a row, derive another source from it.
  ///
  /// - Parameters:
  ///   - other: The source with many rows for a row here.
  ///   - key: The identifier of the row that an element of the other source names; `nil` for none.
  ///   - unmatched: The section of rows of the other source without a partner; `nil` not to show these.
  ///   - isExpanded: Whether rows are expanded when they are inserted.
  ///   - options: What all kinds of sources let a program choose; if it is `nil`, the history and the clock
  ///     of this source.
  /// - Complexity: O(1). The tree is made when a subscriber requests a batch: O(n + m) for n rows here and m in
  ///   the other source. Afterwards O(log² (n + m)) for each row that changes; a row here that is inserted, deleted
  ///   or moved counts with all its partners.
  @inlinable
  public nonisolated func outlined<Other: ListSource>(
    withEachOf other: Other, by key: @escaping @Sendable (Other.Element) -> ItemID?,
    unmatchedIn unmatched: SectionID? = nil, isExpanded: Bool = true,
    options: SourceOptions? = nil
  ) -> DerivedSource<
    ModelBatch<SectionID, JoinedRow<Element, Other.Element>>,
    ModelBatch<SectionID, JoinedRow<Element, Other.Element>>
  >
  where Other.Element: Identifiable & Equatable, Other.Element.ID == Other.ItemID {
    nested(
      other, by: key, RowKeys(Other.Element.self, key, { _, _ in false }),
      Snapshot<SectionID, JoinedID<ItemID, Other.ItemID>>.makeKernels(
        models: ElementKernel(models: JoinedRow<Element, Other.Element>.self)),
      unmatched.map { .full(unmatchedIn: $0) } ?? .left, isTree: true, isExpanded: isExpanded,
      options)
  }

  @usableFromInline nonisolated func nested<Other: ListSource, Joined: ListBatch>(
    _ other: Other, by key: @escaping @Sendable (Other.Element) -> ItemID?,
    _ keys: RowKeys<ItemID?>, _ kernels: SnapshotKernels, _ kind: JoinKind<SectionID>,
    isTree: Bool, isExpanded: Bool, _ options: SourceOptions?
  ) -> DerivedSource<Joined, Joined>
  where
    Other.Element: Identifiable & Equatable, Other.Element.ID == Other.ItemID,
    Joined.SectionID == SectionID, Joined.ItemID == JoinedID<ItemID, Other.ItemID>,
    Joined.Element == JoinedRow<Element, Other.Element>
  {
    var query = ListQuery<Joined, Joined>()
    if isTree {
      query = query.outlined(
        id: true, by: { row in row.right.flatMap(key).map { .left($0) } },
        isExpanded: isExpanded)
    }
    return DerivedSource(
      [SourceFeed(self), SourceFeed(other)],
      NestedJoin<SectionID, Other.SectionID, Element, Other.Element>(
        .init(kind: kind, isTree: isTree, name: key), keys, other: other.reader.kernels, kernels),
      kernels, query, options)
  }
}
