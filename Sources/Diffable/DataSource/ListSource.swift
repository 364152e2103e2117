/// A list that goes through revisions, and that any number of renderers may follow.
///
/// ``DataSourceActor`` is a source of identifiers, and ``ModelSource`` one of models. What both can
/// do is declared here and in ``EditableListSource``, once for both. Every renderer of this package
/// follows any source.
///
/// Only this package makes sources: nobody else can have a ``reader``.
public protocol ListSource<SectionID, ItemID>: AnyObject, Sendable, CustomDebugStringConvertible {
  /// What identifies sections.
  associatedtype SectionID: Hashable & Sendable
  /// What identifies items.
  associatedtype ItemID: Hashable & Sendable
  /// What the list shows for an item: its identifier, or its model.
  associatedtype Element: Sendable = Batch.Element where Element == Batch.Element
  /// What those who follow the list get, one after the other.
  associatedtype Batch: ListBatch<SectionID, ItemID>

  /// The way to what the source has published; for this package alone.
  nonisolated var reader: RevisionReader<SectionID, ItemID> { get }

  /// Expands a row of an outline, or collapses it, as the user of a renderer wants.
  ///
  /// Where children are loaded on demand, expanding waits until they are there.
  ///
  /// - Parameters:
  ///   - isExpanded: What the user wants.
  ///   - item: An item of an outline; any other is ignored.
  ///   - name: The name of the change, for undo where the source has that.
  /// - Throws: ``ChildrenError`` if the source has finished, or the children cannot be loaded. The row is
  ///   as it was then.
  func setExpanded(
    _ isExpanded: Bool, of item: ItemID, named name: String?
  ) async throws(ChildrenError<ItemID>)
}

extension ListSource {
  /// What one state of this source shows for an item, or `nil` if the item is not there.
  ///
  /// - Complexity: That of ``Snapshot/itemPath(for:)``.
  public static func element(
    for item: ItemID, in snapshot: Snapshot<SectionID, ItemID>
  ) -> Element? {
    Batch.element(for: item, in: snapshot)
  }
}
