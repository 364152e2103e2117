/// A list that goes through revisions and that any number of renderers may follow.
///
/// ``DataSourceActor`` is a source of identifiers, ``ModelSource`` a source of models. Every source
/// has the operations that are declared here. ``WritableListSource`` adds those of sources that can
/// be changed. A `ListController`, and with it every list view, can follow any source.
///
/// Only this package makes sources.
public protocol ListSource<SectionID, ItemID>: AnyObject, Sendable, CustomDebugStringConvertible {
  /// What identifies sections.
  associatedtype SectionID: Hashable & Sendable
  /// What identifies items.
  associatedtype ItemID: Hashable & Sendable
  /// What the list shows for an item: its identifier, or its model.
  associatedtype Element: Sendable = Batch.Element where Element == Batch.Element
  /// The batches that subscribers receive, one after another.
  associatedtype Batch: ListBatch<SectionID, ItemID>

  /// Access to what the source has published.
  nonisolated var _reader: _RevisionReader<SectionID, ItemID> { get }

  /// Expands or collapses a row of an outline, as the user of a renderer wants.
  ///
  /// If the children are loaded on demand, expanding waits until they are loaded.
  ///
  /// - Parameters:
  ///   - isExpanded: What the user wants.
  ///   - item: An item of an outline; any other item is ignored.
  ///   - name: The name of the change for undo, if the source supports undo.
  /// - Throws: ``ChildrenError`` if the source has finished or the children cannot be loaded. The
  ///   row is unchanged then.
  func setExpanded(
    _ isExpanded: Bool, of item: ItemID, named name: String?
  ) async throws(ChildrenError<ItemID>)
}

extension ListSource {
  package nonisolated var reader: RevisionReader<SectionID, ItemID> { _reader }

  /// What a state of this source shows for an item, or `nil` if the item does not exist.
  ///
  /// - Complexity: The same as ``Snapshot/itemPath(for:)``.
  public static func element(
    for item: ItemID, in snapshot: Snapshot<SectionID, ItemID>
  ) -> Element? {
    Batch.element(for: item, in: snapshot)
  }
}
