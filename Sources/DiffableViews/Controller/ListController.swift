public import Diffable

/// Shows a source in a list view.
///
/// A controller follows the batches of any source, cuts each into the stages that its host accepts,
/// and hands them over one at a time; each is on the screen before the next one comes. It answers
/// the host's questions, asks providers for cells, and knows what is on display:
///
/// ```swift
/// let controller = ListController(host: host, following: source) { cells, path, photo in
///   try cells.dequeueConfiguredReusableCell(using: photos, for: path, item: photo)
/// }
/// ```
///
/// Here `source` is a `ModelSource`, and the provider gets the model of each item. Where it is a
/// `DataSourceActor`, the provider gets identifiers. A cell whose model changes is configured again.
///
/// The laws:
///
/// 1. ``snapshot`` is what the host is answered from: the state before a stage until the host begins
///    it, the state after it from then on. Where something is to be reconfigured, both have the same
///    positions, and it is the latter from the start. Between batches it is a state that the source
///    had, or what a drag proposes (law 10).
/// 2. No stage is handed over before the one before it has ended, and no batch is asked for before
///    that. So a host that is slow is behind by one batch at most, whatever the writers do, and that
///    batch leads to the newest state.
/// 3. The host is reset, instead of being handed a stage, where the batch or the stage says so, where
///    it takes no stages (rule S8), and where it believes in another number of sections than there
///    are (rule S9). The change limit of its profile is rule S12.
/// 4. A batch that has been begun is shown to its end, even if following is cancelled meanwhile.
/// 5. Nothing that a provider does stops the list: the host shows a placeholder, and
///    ``errorHandler`` is told why.
/// 6. An item that is reconfigured keeps its cell, unless the provider wants a cell of another kind: it
///    is reloaded then. The same goes for a section and its headers, footers and badges.
/// 7. Selection belongs to identifiers. It stays with an item that moves, is reloaded, shown from
///    scratch or gets another identifier, and ends with an item that goes.
/// 8. Where the host names anchors, the first item of them that is still there after a batch stays at
///    its place on the screen; or else, with ``sticksToEnd``, the end of the list does.
/// 9. Expansion belongs to identifiers as well, since it is part of the state. After a batch each cell
///    was asked for, or reconfigured, with the disclosure that its row has.
/// 10. While the user drags items, the list shows what is proposed and no batch of the source. Once
///     the drag has ended it shows the newest state, and nothing of what was written is lost.
///
/// The controller does not hold its host. A host that goes away ends the following, and if that is
/// in the middle of a batch, the controller ends on the state after it.
@MainActor
public final class ListController<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Host: ListHost
> {
  /// Makes a cell that shows an item; `nil` and errors make a placeholder.
  public typealias CellProvider =
    @MainActor (
      _ cells: CellDequeuer<Host.Cell>, _ path: ItemPath, _ item: ItemID
    ) throws -> Host.Cell?

  /// Makes a supplementary view of a section; `nil` and errors make a placeholder.
  public typealias SupplementaryProvider =
    @MainActor (
      _ views: SupplementaryDequeuer<Host.SupplementaryView>, _ path: ItemPath,
      _ section: SectionID
    ) throws -> Host.SupplementaryView?

  /// The list view; `nil` once nobody else holds it any longer.
  public private(set) weak var host: Host?

  /// The state on display.
  ///
  /// Questions by identifier cost O(log n) for n items: its lookup table was made off the main
  /// actor.
  public var snapshot: Snapshot<SectionID, ItemID> { display.snapshot }

  /// The revision on display; `nil` before the first batch.
  ///
  /// In the middle of a batch it is the one before it.
  public var revision: Revision? { display.revision }
  /// Is told of every revision that is on the screen, once its batch has been shown to its end.
  public var displayHandler: (@MainActor (Revision) -> Void)?

  let provider: Provider
  /// The providers of supplementary views, by what the layout calls them.
  public var supplementaryProviders: [String: SupplementaryProvider] = [:]

  /// Is told what could not be shown as it was asked for.
  public var errorHandler: (@MainActor (ListError) -> Void)?

  /// Is told which items may soon be on the screen.
  public var prefetchHandler: (@MainActor ([ItemID]) -> Void)?
  /// Is told which of them no longer will be, also because they were deleted.
  public var prefetchCancellationHandler: (@MainActor ([ItemID]) -> Void)?

  /// Whether a list that shows its last item goes on showing the last one, as chats do.
  ///
  /// Where the user has scrolled away from the end, the items on the screen stay at their places (law
  /// 8).
  public var sticksToEnd = false

  /// The items that are selected.
  public var selectedItems: Set<ItemID> { selection.items }
  /// Is told of every change of the selection, whoever made it.
  public var selectionHandler: (@MainActor (SelectionChange<ItemID>) -> Void)?

  /// Does what the user wants who unfolds a row (`true`) or folds it.
  ///
  /// Without a handler the source that the list follows expands or collapses the item. One is of use
  /// where that change is to have a name for undo, where it is not to be made, or where the list
  /// follows no source. What it throws is told to the ``errorHandler``.
  public var expansionHandler: (@MainActor (ItemID, _ isExpanded: Bool) async throws -> Void)?

  /// Is told of items that the view has moved by itself, once the source has, see
  /// ``didMoveItem(from:to:)``.
  public var moveHandler: (@MainActor (Transaction<SectionID, ItemID>) -> Void)?

  var display = Display<SectionID, ItemID>()
  var selection = ItemSelection<ItemID>()
  var prefetched = PrefetchedItems<ItemID>()
  /// Who may show something; during a drag, whoever drags.
  let turns = Turns()
  let drag: Drag<SectionID, ItemID>
  let follower = Follower<SectionID, ItemID>()

  /// Creates a controller whose provider gets identifiers, and makes it the content of a host, which is
  /// shown empty.
  ///
  /// - Parameters:
  ///   - host: The list view. It is not held.
  ///   - cellProvider: Makes a cell that shows an item.
  public convenience init(host: Host, cellProvider: @escaping CellProvider) {
    self.init(host: host) { _, cells, path, item in try cellProvider(cells, path, item) }
  }

  /// Makes a cell for a controller, which the provider must not hold.
  package typealias Provider =
    @MainActor (ListController, CellDequeuer<Host.Cell>, ItemPath, ItemID) throws -> Host.Cell?

  package init(host: Host, provider: @escaping Provider) {
    self.host = host
    self.provider = provider
    drag = Drag(turns: turns)
    host.content = self
    host.reset(keeping: nil)
  }
}
