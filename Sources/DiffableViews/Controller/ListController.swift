public import Diffable

/// Shows a source in a list view.
///
/// A controller follows the batches of any source, cuts each into the stages that its host accepts,
/// and passes them on one at a time. Each is on the screen before the next one starts. The
/// controller provides counts and cells to the host, gets cells from providers, and knows the state
/// on display:
///
/// ```swift
/// let controller = ListController(host: host, following: source) { cells, path, photo in
///   try cells.dequeueConfiguredReusableCell(using: photos, for: path, item: photo)
/// }
/// ```
///
/// Here `source` is a `ModelSource`, and the provider receives the model of each item. With a
/// `DataSourceActor`, the provider receives identifiers. If the model of a cell changes, the cell
/// is configured again.
///
/// The laws:
///
/// 1. ``snapshot`` is the state that the host reads: the state before a stage until the host begins
///    it, the state after it from then on. For reconfigures, both have the same positions, and it
///    is the state after the stage from the start. Between batches it is a state that the source
///    had, or what the user drags and where to.
/// 2. No stage is passed on before the previous one has ended, and no batch is requested before
///    that. So a slow host lags by one batch at most, whatever the writers do, and that batch leads
///    to the newest state.
/// 3. The host is reset instead of receiving a stage if the batch or the stage is a reset, if the
///    host takes no stages, or if its number of sections differs from that of the displayed state.
///    A batch with more changes than the profile of the host allows is a reset.
/// 4. A batch that has been begun is shown completely, even if following is cancelled meanwhile.
/// 5. A failing provider does not stop the list: the host shows a placeholder, and ``errorHandler``
///    receives the reason.
/// 6. A reconfigured item keeps its cell, unless the provider wants a cell of another kind: then it
///    is reloaded. The same applies to a section and its headers, footers and badges.
/// 7. Selection belongs to identifiers. An item stays selected if it moves, is reloaded, is shown
///    from scratch or receives another identifier, until it is deleted, or longer with
///    ``keepsAbsentItemsSelected``. If the user may select one item only, selecting another one
///    deselects it.
/// 8. What is on the screen stays there, as the host's ``Viewport`` states it. The row that stays is
///    chosen for a batch as a whole, also if the batch is shown from scratch. It is chosen again if
///    the reader scrolls between two stages.
/// 9. Expansion is stored by identifier too, since it is part of the state. After a batch, each
///    cell was made or reconfigured with the disclosure of its row.
/// 10. While the user drags items, the list shows what is proposed and no batch of the source.
///     After the drag it shows the newest state, and no change is lost.
///
/// The controller does not hold its host. When the host is released, or gets another controller,
/// following ends. If that happens in the middle of a batch, the controller ends with the state after it.
/// A drag is cancelled if the host gets another controller.
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

  /// The list view; `nil` once it has been released, or has another controller.
  public private(set) weak var host: Host?

  /// The state on display.
  ///
  /// Lookups by identifier cost O(log n) for n items: the lookup table was made off the main actor.
  public var snapshot: Snapshot<SectionID, ItemID> { display.snapshot }

  /// The revision on display; `nil` before the first batch.
  ///
  /// In the middle of a batch it is the previous revision.
  public var revision: Revision? { display.revision }
  /// Called with every revision whose batch has been shown completely.
  public var displayHandler: (@MainActor (Revision) -> Void)?

  let provider: Provider
  /// The providers of supplementary views, by the layout's name for the views.
  public var supplementaryProviders: [String: SupplementaryProvider] = [:]

  /// Called if something could not be shown as requested.
  ///
  /// Without a handler, only a placeholder says so. Set one at least while you write a provider.
  public var errorHandler: (@MainActor (ListError) -> Void)?

  /// Called with items that may soon be on the screen.
  public var prefetchHandler: (@MainActor ([ItemID]) -> Void)?
  /// Called with prefetched items that will not appear, for example because they were deleted.
  public var prefetchCancellationHandler: (@MainActor ([ItemID]) -> Void)?

  /// Whether a list that is scrolled to its end stays there, as chats do; of its host.
  ///
  /// If the user has scrolled away from the end, the items on the screen stay at their places, as
  /// ``Viewport`` states it.
  public var sticksToEnd: Bool {
    get { host?.viewport.sticksToEnd ?? false }
    set { host?.viewport.sticksToEnd = newValue }
  }

  /// Called for every change of the selection, by the user, the program or the source.
  public var selectionHandler: (@MainActor (SelectionChange<ItemID>) -> Void)?
  /// Whether an item that leaves the list stays selected, and is selected when it comes back.
  ///
  /// Set it for a list that is filtered, if a filter must not change the selection. The program
  /// then has to deselect deleted items itself. An item that is renamed while a query hides it
  /// stays selected, except in a mirror of another process, which receives no changes of hidden
  /// rows. It is `false` at first.
  public var keepsAbsentItemsSelected = false {
    didSet {
      selection.isUncertain = true
      // In the middle of a batch, an item can be away for one stage. The batch ends with this as well.
      if heldPlace == nil { deselectItemsThatAreGone() }
    }
  }

  /// Expands (`true`) or collapses a row, as the user wants.
  ///
  /// Without a handler, the followed source expands or collapses the item. Set one if that change
  /// needs a name for undo, must not be made, or if the list follows no source. Errors that it
  /// throws are passed to the ``errorHandler``.
  public var expansionHandler: (@MainActor (ItemID, _ isExpanded: Bool) async throws -> Void)?

  /// Called with items that the view has moved by itself, after the source has moved them.
  ///
  /// See ``ListContent/didMoveItem(from:to:)``.
  public var reorderHandler: (@MainActor (Transaction<SectionID, ItemID>) -> Void)?

  /// Called with the reason if the user proposes a place that the items cannot be moved to.
  ///
  /// A place that is refused for the same reason as the one before it is not reported again.
  public var refusalHandler: (@MainActor (ReorderRefusal) -> Void)?

  var display = Display<SectionID, ItemID>()
  /// The batch that has its turn, until it is known by which stages it is shown.
  var arriving: UpdateBatch<SectionID, ItemID>?
  var selection = ItemSelection<ItemID>()
  /// The selected items, if they have been asked for since they changed.
  var knownSelection: Set<ItemID>?
  /// Whether the view shows the selection; in the middle of an update it cannot be told of another one.
  var isSelectionShown = true
  /// Whether the view is about to get to the state on display.
  var isViewBehind = false
  let prefetched = PrefetchedItems<ItemID>()
  /// The turns to show something; during a drag, the drag has the turn.
  let turns = Turns()
  /// The number under which the newest batch of the source has requested its turn.
  var batchTurn: UInt64?
  let drag: Drag<SectionID, ItemID>
  /// What the host has of this controller.
  package let content: any ListContent<Host.Cell, Host.SupplementaryView>
  /// Whether the view is to scroll with animation to the held place once it shows the state on display;
  /// `nil` if it need not scroll.
  var awaitedScroll: Bool?
  /// What stays in place during a batch.
  var heldPlace: HeldPlace<ItemID>?
  /// Where the list opens that is still empty.
  var openingPlace: HeldPlace<ItemID>?
  let follower = Follower<SectionID, ItemID>()

  /// Creates a controller with a provider that receives identifiers.
  ///
  /// The controller becomes the content of a host, which is shown empty. The controller that had the host
  /// before loses it.
  ///
  /// - Parameters:
  ///   - host: The list view. It is not held.
  ///   - cellProvider: Makes a cell that shows an item.
  public convenience init(host: Host, cellProvider: @escaping CellProvider) {
    self.init(host: host) { _, cells, path, item in try cellProvider(cells, path, item) }
  }

  /// Makes a cell for a controller, which it must not hold.
  package typealias Provider =
    @MainActor (ListController, CellDequeuer<Host.Cell>, ItemPath, ItemID) throws -> Host.Cell?

  deinit {
    // The main actor may release the controller, and be the last to hold what it shows.
    let remains = Handover(display)
    let weight = display.snapshot.weight
    display = Display()
    releaseInTask(remains, weight: weight)
  }

  package init(host: Host, provider: @escaping Provider) {
    self.host = host
    self.provider = provider
    drag = Drag(turns: turns)
    let content = ControllerContent<SectionID, ItemID, Host>()
    self.content = content
    content.controller = self
    host.loseController()
    host.content = content
    host.viewport.sticksToEnd = false
    host.reset(keeping: .start)
  }

  /// Leaves the view to another controller.
  ///
  /// A drag has the turn, and the view would not end it any more, so following could not end either.
  func loseHost() {
    host = nil
    Task { await cancelReorder() }
  }
}
