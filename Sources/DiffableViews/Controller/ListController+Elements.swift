public import Diffable

// What the source shows for items and sections: identifiers, or models.

extension ListController {
  /// Creates a controller that follows a source, with a provider for the elements of that source.
  ///
  /// An element is the model in a `ModelSource`, and the identifier in a `DataSourceActor`. The
  /// host is empty until the first batch. The controller follows the source as after
  /// ``start(following:)``.
  ///
  /// If it later follows a source of other elements, placeholders are shown, and the
  /// ``errorHandler`` is called.
  ///
  /// - Parameters:
  ///   - host: The list view. It is not held.
  ///   - source: The source. It is held only if it is derived from another one.
  ///   - cellProvider: Makes a cell that shows an element of the source.
  public convenience init<Source: ListSource<SectionID, ItemID>>(
    host: Host, following source: Source,
    cellProvider:
      @escaping @MainActor (
        _ cells: CellDequeuer<Host.Cell>, _ path: ItemPath, _ element: Source.Element
      ) throws -> Host.Cell?
  ) {
    self.init(host: host) { list, cells, path, item in
      try cellProvider(cells, path, try list.element(for: item, of: Source.self))
    }
    start(following: source)
  }

  /// The model of an item on display.
  ///
  /// It is `nil` if the item does not exist or the followed source has no such models. In the
  /// middle of a batch it is the model that the item has afterwards.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func model<Model: Identifiable & Equatable & Sendable>(
    for item: ItemID, as type: Model.Type = Model.self
  ) -> Model? where Model.ID == ItemID {
    display.element(of: item) { $0.model(of: $1, as: type) }
  }

  /// Whether an item on display shows a change that others have not accepted yet.
  ///
  /// In the middle of a batch the answer is that after it.
  ///
  /// - Complexity: O(1), given a good hash.
  public func isUnconfirmed(_ item: ItemID) -> Bool { display.isUnconfirmed(item) }

  /// The element that a source of some kind shows for an item on display.
  package func element<Source: ListSource<SectionID, ItemID>>(
    for item: ItemID, of source: Source.Type
  ) throws(ListError) -> Source.Element {
    guard let element = display.element(of: item, { Source.element(for: $1, in: $0) }) else {
      throw .noModel(item: AnyItemID(item))
    }
    return element
  }
}

extension ListController where SectionID: ModelledSection {
  /// The model of a section on display, or `nil` if it has none or does not exist.
  ///
  /// In the middle of a batch it is the model that the section has afterwards.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func sectionModel(for section: SectionID) -> SectionID.SectionModel? {
    display.model(ofSection: section)
  }

  /// Sets a provider of supplementary views that show the models of their sections.
  ///
  /// The views of a section whose model changes are configured again.
  ///
  /// - Parameters:
  ///   - kind: The layout's name for the views.
  ///   - provider: Makes a view. The model is `nil` for a section without a model.
  public func setSupplementaryProvider(
    ofKind kind: String,
    _ provider:
      @escaping @MainActor (
        _ views: SupplementaryDequeuer<Host.SupplementaryView>, _ path: ItemPath,
        _ section: SectionID, _ model: SectionID.SectionModel?
      ) throws -> Host.SupplementaryView?
  ) {
    supplementaryProviders[kind] = { [weak self] views, path, section in
      try provider(views, path, section, self?.sectionModel(for: section))
    }
  }
}
