package import Diffable

// What a host asks of the controller, through `ControllerContent`.
extension ListController {
  /// The number of sections on display.
  package var numberOfSections: Int { snapshot.numberOfSections }

  /// The number of items in a section on display; 0 if there is no such section.
  package func numberOfItems(inSection section: Int) -> Int {
    snapshot.items(inSectionAt: section).count
  }

  /// The identity of the item at a path; `nil` if there is none.
  package func identity(ofItemAt path: ItemPath) -> AnyItemID? {
    snapshot.itemIdentifier(for: path).map { AnyItemID($0) }
  }

  /// The path of the item with an identity; `nil` if there is none.
  ///
  /// While a batch is being shown, an item that it renames is also found by its former identity.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  package func itemPath(withIdentity identity: AnyItemID) -> ItemPath? {
    (identity.base as? ItemID).flatMap(display.path(of:))
  }

  /// The path of the row that shows an item, or of its nearest ancestor if an outline hides it.
  ///
  /// It is `nil` for an item that is not in the list.
  ///
  /// - Complexity: O(d · log n) for d ancestors and n items, given a good hash.
  package func itemPath(standingFor identity: AnyItemID) -> ItemPath? {
    (identity.base as? ItemID).flatMap(display.path(standingFor:))
  }

  /// The identity of the section at an index; `nil` if there is none.
  package func identity(ofSectionAt section: Int) -> AnyItemID? {
    snapshot.sectionIdentifier(at: section).map { AnyItemID($0) }
  }

  /// Asks the cell provider for the item at a path.
  package func cell(for path: ItemPath) throws(ListError) -> Host.Cell {
    try reporting { () throws(ListError) in
      guard let item = snapshot.itemIdentifier(for: path) else { throw .unknownPath(path) }
      prefetched.remove([item])
      let supply = ViewSupply<Host.Cell>(
        source: .host { [host] in host?.dequeueCell(of: $0, for: $1) })
      let cell = try asking(for: item) {
        try provider(
          self, CellDequeuer(supply: supply, disclosure: disclosure(ofItemAt: path)), path, item)
      }
      guard let cell else { throw .noCell(item: AnyItemID(item)) }
      return cell
    }
  }

  /// Asks the provider of a kind for a view of the section at a path.
  package func supplementaryView(
    ofKind kind: String, for path: ItemPath
  ) throws(ListError) -> Host.SupplementaryView {
    try reporting { () throws(ListError) in
      guard let section = snapshot.sectionIdentifier(at: path.section) else {
        throw .unknownPath(path)
      }
      let supply = ViewSupply<Host.SupplementaryView>(
        source: .host { [host] in host?.dequeueSupplementaryView(of: $0, for: $1) })
      let view = try asking(for: section) {
        try supplementaryProviders[kind]?(SupplementaryDequeuer(supply: supply), path, section)
      }
      guard let view else {
        throw .noSupplementaryView(kind: kind, section: AnyItemID(section))
      }
      return view
    }
  }

  /// Whether there is a provider of the kind.
  package func hasSupplementaryViews(ofKind kind: String) -> Bool {
    supplementaryProviders[kind] != nil
  }

  /// Reports the error of a request of the host to the error handler.
  private func reporting<View>(_ ask: () throws(ListError) -> View) throws(ListError) -> View {
    do {
      return try ask()
    } catch {
      errorHandler?(error)
      throw error
    }
  }

  /// Calls a provider, and converts the errors that it throws.
  func asking<View>(
    for identifier: some Hashable & Sendable, _ provider: () throws -> View?
  ) throws(ListError) -> View? {
    do {
      return try provider()
    } catch let error as ListError {
      throw error
    } catch {
      throw .providerFailed(identifier: AnyItemID(identifier), reason: "\(error)")
    }
  }
}
