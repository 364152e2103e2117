public import Diffable

/// What a host shows, and what it reports the user's actions to.
///
/// A host knows positions only. It uses a ``ListController`` through this protocol alone, whatever
/// the identifiers are.
///
/// All results are about one state, the state *on display*. It is the state before a stage until
/// the host calls ``ListStage/begin()``, and the state after the stage from then on. In
/// ``ListHost/reset(keeping:)`` it is already the state to show. It changes at no other time.
@MainActor
public protocol ListContent<Cell, SupplementaryView>: AnyObject {
  /// The host's type of cells.
  associatedtype Cell: AnyObject
  /// The host's type of headers, footers and the like.
  associatedtype SupplementaryView: AnyObject

  /// The number of sections on display.
  var numberOfSections: Int { get }
  /// The number of items in a section on display; 0 if there is no such section.
  func numberOfItems(inSection section: Int) -> Int

  /// A cell that shows the item at a path.
  ///
  /// - Throws: Why the provider could not make one. The host shows a placeholder.
  func cell(for path: ItemPath) throws(ListError) -> Cell
  /// A header, footer or other supplementary view.
  ///
  /// - Parameters:
  ///   - kind: The layout's name for the views.
  ///   - path: The section, and the number of the view among views of its kind in the section.
  /// - Throws: Why the provider could not make one. The host shows a placeholder.
  func supplementaryView(
    ofKind kind: String, for path: ItemPath
  ) throws(ListError) -> SupplementaryView

  /// Returns whether there may be supplementary views of a kind.
  ///
  /// For views that request headers and footers even if there are none: they then show none, and
  /// nothing is missing.
  func hasSupplementaryViews(ofKind kind: String) -> Bool

  /// The identity of the item at a path: for accessibility, drags, and tests.
  func identity(ofItemAt path: ItemPath) -> AnyItemID?
  /// The path of the item with an identity; `nil` if there is none.
  func itemPath(withIdentity identity: AnyItemID) -> ItemPath?
  /// The path of the row that shows an item, or under which an outline hides it.
  ///
  /// For what a user works with, such as a focus: if the item's row is folded away, its nearest
  /// ancestor with a row stands for it. It is `nil` for an item that is not in the list.
  func itemPath(standingFor identity: AnyItemID) -> ItemPath?
  /// The identity of a section.
  func identity(ofSectionAt section: Int) -> AnyItemID?

  /// How a row of an outline is drawn: its level, and whether its children show.
  ///
  /// It is `nil` if there is no such path, and in a flat section, whose rows are drawn like leaves
  /// without ancestors. For a row that stays where it is, it changes only with a reconfigure, a
  /// reload or a reset.
  func disclosure(ofItemAt path: ItemPath) -> Disclosure?
  /// Called when the user expanded or collapsed a row.
  ///
  /// Rows are inserted and deleted by a stage, after the source has made the change.
  func setExpanded(_ isExpanded: Bool, ofItemAt path: ItemPath)

  /// Called when the user selected items: one, or many at once.
  func didSelectItems(at paths: ItemPathSet)
  /// Called when the user deselected items.
  func didDeselectItems(at paths: ItemPathSet)
  /// Called when the user extended the selection, for example by the Shift key.
  ///
  /// All rows from where the range begins to the new end are selected. The range goes on if it ended
  /// at the first path; otherwise it begins there. ``ListHost/showSelection(_:)`` shows the result.
  ///
  /// - Parameters:
  ///   - origin: Where the user was before.
  ///   - path: Where the range ends now.
  func didExtendSelection(from origin: ItemPath, to path: ItemPath)
  /// Called with items that may soon be on the screen.
  func prefetchItems(at paths: [ItemPath])
  /// Called with items that will not be on the screen so soon after all.
  func cancelPrefetchingItems(at paths: [ItemPath])

  /// Called when the view has moved an item by itself, because the user dropped it.
  ///
  /// The paths are the item's places before and after. On return, the item is at the new path. If
  /// the result is `false`, the view must be reset instead.
  func didMoveItem(from origin: ItemPath, to target: ItemPath) -> Bool

  /// Called when the user begins to drag items; returns whether they may be dragged.
  func beginReorderingItems(at paths: [ItemPath]) async -> Bool
  /// Called when the user holds the dragged items over a path.
  ///
  /// They are before the item at the path, or at the end of the section.
  func proposeReordering(to path: ItemPath) async
  /// Why the dragged items cannot be dropped where they are proposed, for the user; `nil` if they can.
  var reorderRefusal: ReorderRefusal? { get }
  /// Called when the user drops the dragged items, or cancels the drag.
  func endReordering(isCommitted: Bool) async
}

/// The content of a host that can be told that the host is another controller's now.
@MainActor
package protocol ReplaceableContent: AnyObject {
  /// Called before the host gets another controller, or its view another host.
  func loseHost()
}

extension ListHost {
  /// Takes the host from its controller, which would otherwise go on changing the view.
  package func loseController() { (content as? any ReplaceableContent)?.loseHost() }
}

// What contents of tests need not say. A controller says all of it.
extension ListContent {
  /// Returns `true`: there may be some of every kind.
  package func hasSupplementaryViews(ofKind kind: String) -> Bool { true }
  /// Returns the path of the item: content without outlines hides none.
  package func itemPath(standingFor identity: AnyItemID) -> ItemPath? {
    itemPath(withIdentity: identity)
  }
  /// Returns `nil`: content without outlines has no rows to fold.
  package func disclosure(ofItemAt path: ItemPath) -> Disclosure? { nil }
  /// Does nothing: content without outlines has no rows to fold.
  package func setExpanded(_ isExpanded: Bool, ofItemAt path: ItemPath) {}
  /// Selects the item where the range ends: content without ranges has single items only.
  package func didExtendSelection(from origin: ItemPath, to path: ItemPath) {
    didSelectItems(at: [path])
  }
  /// Returns `nil`: content without drags refuses none.
  package var reorderRefusal: ReorderRefusal? { nil }
  /// Returns `false`: content that does not move items has the view reset.
  package func didMoveItem(from origin: ItemPath, to target: ItemPath) -> Bool { false }
}
