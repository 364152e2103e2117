public import Diffable

/// What a host asks while it shows a list, and whom it tells what the user does.
///
/// A host knows positions only; this protocol is all it sees of a ``ListController``, whatever the
/// identifiers are.
///
/// All answers are about one state, the one *on display*. It is the state before a stage until the
/// host calls ``ListStage/begin()``, and the state after the stage from then on; in
/// ``ListHost/reset(keeping:)`` it is already the state to show. It changes at no other time.
@MainActor
public protocol ListContent<Cell, SupplementaryView>: AnyObject {
  /// The host's type of cells.
  associatedtype Cell: AnyObject
  /// The host's type of headers, footers and the like.
  associatedtype SupplementaryView: AnyObject

  /// The number of sections on display.
  var numberOfSections: Int { get }
  /// The number of items in a section on display; 0 where there is no such section.
  func numberOfItems(inSection section: Int) -> Int

  /// A cell that shows the item at a path.
  ///
  /// - Throws: What kept the provider from making one. The host shows a placeholder.
  func cell(for path: ItemPath) throws(ListError) -> Cell
  /// A header, footer or other supplementary view.
  ///
  /// - Parameters:
  ///   - kind: What the layout calls such views.
  ///   - path: The section, and the number of the view among those of its kind in the section.
  /// - Throws: What kept the provider from making one. The host shows a placeholder.
  func supplementaryView(
    ofKind kind: String, for path: ItemPath
  ) throws(ListError) -> SupplementaryView

  /// Answers whether there may be supplementary views of a kind.
  ///
  /// For views that ask for headers and footers whether there are any or not: they show none then, and
  /// nothing is missing.
  func hasSupplementaryViews(ofKind kind: String) -> Bool

  /// What identifies the item at a path: for accessibility, drags, and tests.
  func identity(ofItemAt path: ItemPath) -> AnyItemID?
  /// Where the item with an identity is; `nil` if there is none.
  func itemPath(withIdentity identity: AnyItemID) -> ItemPath?
  /// What identifies a section.
  func identity(ofSectionAt section: Int) -> AnyItemID?

  /// How a row of an outline is drawn: how deep it stands, and whether its children show.
  ///
  /// `nil` where there is no such path, and in a section that is a list, whose rows are drawn like
  /// leaves without ancestors. For a row that stays where it is, it changes only with a reconfigure, a
  /// reload or a reset.
  func disclosure(ofItemAt path: ItemPath) -> Disclosure?
  /// The user unfolded a row, or folded it.
  ///
  /// Rows come and go with a stage, when the source has made the change.
  func setExpanded(_ isExpanded: Bool, ofItemAt path: ItemPath)

  /// The user selected an item.
  func didSelectItem(at path: ItemPath)
  /// The user ended the selection of an item.
  func didDeselectItem(at path: ItemPath)
  /// Items may soon be on the screen.
  func prefetchItems(at paths: [ItemPath])
  /// Items will not be on the screen so soon after all.
  func cancelPrefetchingItems(at paths: [ItemPath])

  /// The view has moved an item by itself, because the user dropped it there; `false` if the view has to
  /// be reset instead.
  ///
  /// Both paths are those of the item, before and after. On return the item is there.
  func didMoveItem(from origin: ItemPath, to target: ItemPath) -> Bool

  /// The user begins to drag items; answers whether they may be dragged.
  func beginReorderingItems(at paths: [ItemPath]) async -> Bool
  /// The user holds what is dragged over a path: in front of the item there, or behind the last item
  /// of the section.
  func proposeReordering(to path: ItemPath) async
  /// The user drops what is dragged, or gives up.
  func endReordering(isCommitted: Bool) async
}

extension ListContent {
  /// There may be some of every kind.
  public func hasSupplementaryViews(ofKind kind: String) -> Bool { true }
  /// None: content without outlines has no rows to fold.
  public func disclosure(ofItemAt path: ItemPath) -> Disclosure? { nil }
  /// Does nothing: content without outlines has no rows to fold.
  public func setExpanded(_ isExpanded: Bool, ofItemAt path: ItemPath) {}
  /// Refuses: content that does not move items has the view reset.
  public func didMoveItem(from origin: ItemPath, to target: ItemPath) -> Bool { false }
}
