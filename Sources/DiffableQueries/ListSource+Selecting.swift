public import Diffable

/// Two lists as sets of rows.
extension ListSource where Element: Identifiable, Element.ID == ItemID {
  /// Returns a source that shows the rows of this source that another source shows, too.
  ///
  /// ```swift
  /// let selected = songs.intersection(playlist)
  /// ```
  ///
  /// Rows are compared by their identifiers. They show the elements of this source, in its sections and its order,
  /// so the other source may have other sections and elements. Rows that an outline of the other source hides
  /// are not shown there. A section without rows stays, unless a query says otherwise. A drag moves the row in this
  /// source.
  ///
  /// - Parameters:
  ///   - other: The source in which rows are looked up.
  ///   - options: What all kinds of sources let a program choose; if it is `nil`, the history and the clock
  ///     of this source.
  /// - Complexity: O(1). Rows are looked up when a subscriber requests a batch: O(n) for n rows here, and
  ///   O(c · log n) for c rows that change here, or that come or go in the other source.
  public nonisolated func intersection<Other: ListSource>(
    _ other: Other, options: SourceOptions? = nil
  ) -> DerivedSource<Batch, Batch> where Other.ItemID == ItemID {
    selected("intersection", by: other, keepsShown: true, options) { $0.id }
  }

  /// Returns a source that shows the rows of this source that another source does not show.
  ///
  /// ```swift
  /// let unread = articles.subtracting(read)
  /// ```
  ///
  /// Otherwise like `intersection(_:options:)`.
  ///
  /// - Parameters:
  ///   - other: The source in which rows are looked up.
  ///   - options: What all kinds of sources let a program choose; if it is `nil`, the history and the clock
  ///     of this source.
  /// - Complexity: The same as that of an intersection.
  public nonisolated func subtracting<Other: ListSource>(
    _ other: Other, options: SourceOptions? = nil
  ) -> DerivedSource<Batch, Batch> where Other.ItemID == ItemID {
    selected("subtracting", by: other, keepsShown: false, options) { $0.id }
  }
}

/// The same for lists of identifiers.
extension ListSource where Element == ItemID {
  /// Returns a source that shows the rows of this source that another source shows, too, as for models.
  public nonisolated func intersection<Other: ListSource>(
    _ other: Other, options: SourceOptions? = nil
  ) -> DerivedSource<Batch, Batch> where Other.ItemID == ItemID {
    selected("intersection", by: other, keepsShown: true, options) { $0 }
  }

  /// Returns a source that shows the rows of this source that another source does not show, as for models.
  public nonisolated func subtracting<Other: ListSource>(
    _ other: Other, options: SourceOptions? = nil
  ) -> DerivedSource<Batch, Batch> where Other.ItemID == ItemID {
    selected("subtracting", by: other, keepsShown: false, options) { $0 }
  }
}

extension ListSource {
  private nonisolated func selected<Other: ListSource>(
    _ operation: String, by other: Other, keepsShown: Bool, _ options: SourceOptions?,
    _ id: @escaping @Sendable (Element) -> ItemID
  ) -> DerivedSource<Batch, Batch> where Other.ItemID == ItemID {
    typealias Partners = RowPartners<Other.SectionID, ItemID>
    return DerivedSource(
      [SourceFeed(self), SourceFeed(other)],
      SourceJoin<SectionID, SectionID, ItemID, Partners>(
        operation, .known { item, body in body(item) },
        .test { shown in
          RowTest { (element: Element) in (shown.itemPath(for: id(element)) != nil) == keepsShown }
        },
        StepRules(element: Element.self, sections: .same(SameSections())),
        Partners(areRead: false)),
      reader.kernels, ListQuery(), options, dragged: BaseSource(self))
  }
}
