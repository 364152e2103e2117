#if canImport(UIKit) && !os(watchOS)
public import Diffable
import DiffableViews

extension CollectionViewDiffableDataSource {
  /// Shows a state; returns when it, or a newer one, is on the screen and at rest.
  ///
  /// - Parameters:
  ///   - snapshot: The new state. Its marks travel with it.
  ///   - animatingDifferences: Whether the change is to be seen while it happens.
  /// - Throws: `DataSourceError`, in which case nothing has changed.
  /// - Complexity: That of finding the difference, which is done off the main actor.
  public func apply(
    _ snapshot: Snapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true
  ) async throws(DataSourceError) {
    try await displayed.apply(snapshot, animatingDifferences ? .animated : .immediate)
  }

  /// Shows a state, after what was handed over before it.
  ///
  /// It does not wait. A snapshot that has not been begun is replaced by a newer one.
  ///
  /// - Parameters:
  ///   - snapshot: The new state. Its marks travel with it.
  ///   - animatingDifferences: Whether the change is to be seen while it happens.
  ///   - completion: Is called when the state, or a newer one, is on the screen and at rest; not if it
  ///     is refused, see ``errorHandler``.
  public func apply(
    _ snapshot: Snapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    displayed.enqueue(snapshot, animatingDifferences ? .animated : .immediate, completion)
  }

  /// Shows a state from scratch; returns when it, or a newer one, is on the screen.
  ///
  /// - Throws: `DataSourceError`, in which case nothing has changed.
  public func applySnapshotUsingReloadData(
    _ snapshot: Snapshot<SectionIdentifierType, ItemIdentifierType>
  ) async throws(DataSourceError) {
    try await displayed.apply(snapshot, .reset)
  }

  /// Shows a state from scratch, after what was handed over before it.
  ///
  /// - Parameters:
  ///   - snapshot: The new state.
  ///   - completion: Is called when the state, or a newer one, is on the screen; not if it is refused,
  ///     see ``errorHandler``.
  public func applySnapshotUsingReloadData(
    _ snapshot: Snapshot<SectionIdentifierType, ItemIdentifierType>,
    completion: (() -> Void)? = nil
  ) {
    displayed.enqueue(snapshot, .reset, completion)
  }
}

// MARK: Outlines

extension CollectionViewDiffableDataSource {
  /// The newest content of a section: its outline, or its items side by side.
  ///
  /// - Complexity: O(1) for an outline, O(n) for a list of n items.
  public func snapshot(for section: SectionIdentifierType) -> Outline<ItemIdentifierType> {
    displayed.outline(ofSection: section)
  }

  /// Shows an outline in a section, which is appended if it is not there; returns when it, or a newer
  /// state, is on the screen and at rest.
  ///
  /// - Throws: `DataSourceError`, in which case nothing has changed.
  public func apply(
    _ snapshot: Outline<ItemIdentifierType>, to section: SectionIdentifierType,
    animatingDifferences: Bool = true
  ) async throws(DataSourceError) {
    try await displayed.edit(
      animatingDifferences ? .animated : .immediate,
      DisplayedSource<SectionIdentifierType, ItemIdentifierType, CollectionViewHost>
        .replacement(of: section, by: snapshot))
  }

  /// Shows an outline in a section, after what was handed over before it.
  ///
  /// - Parameters:
  ///   - snapshot: The outline, with its flags.
  ///   - section: The section, which is appended if it is not there.
  ///   - animatingDifferences: Whether the change is to be seen while it happens.
  ///   - completion: Is called when the outline, or a newer state, is on the screen and at rest; not
  ///     if it is refused, see ``errorHandler``.
  public func apply(
    _ snapshot: Outline<ItemIdentifierType>, to section: SectionIdentifierType,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    displayed.enqueueEdit(
      animatingDifferences ? .animated : .immediate, completion,
      DisplayedSource<SectionIdentifierType, ItemIdentifierType, CollectionViewHost>
        .replacement(of: section, by: snapshot))
  }

  /// Expands items of outlines, as far as ``sectionSnapshotHandlers`` allow it.
  ///
  /// Call it where the user unfolds a row: in the action of its disclosure accessory, or where it is
  /// selected. Apple's accessory does so by itself for Apple's data source alone.
  ///
  /// - Parameters:
  ///   - items: The items. Others than rows of outlines are ignored.
  ///   - completion: Is called when that is on the screen and at rest.
  public func expand(_ items: [ItemIdentifierType], completion: (() -> Void)? = nil) {
    displayed.expand(items, completion)
  }

  /// Collapses items of outlines, as far as ``sectionSnapshotHandlers`` allow it.
  ///
  /// - Parameters:
  ///   - items: The items. Others than rows of outlines are ignored.
  ///   - completion: Is called when that is on the screen and at rest.
  public func collapse(_ items: [ItemIdentifierType], completion: (() -> Void)? = nil) {
    displayed.collapse(items, completion)
  }
}
#endif
