public import Diffable
public import DiffableViews

/// The common base of the data sources that are used like Apple's.
///
/// It owns a source, which the view follows, and is used like Apple's data sources: apply
/// snapshots, with `await` or with a completion, and look up what is on the screen. Create the
/// subclass for your view, see ``CollectionViewDiffableDataSource``.
///
/// - Any task may write to ``source``, at any time; the view follows.
/// - Where Apple's data sources raise an exception, there is a typed error: `apply` throws it, or,
///   if it is called without `await`, ``errorHandler`` is called.
/// - Writes reach the source in the order of the calls, with `await` or without. If several
///   snapshots in a row are applied without `await`, only the newest is kept, with the marks of all.
/// - ``snapshot()`` is the newest state, whereas index paths are those on the screen.
@MainActor
public class DiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable,
  Host: ListHost
> {
  /// The source, for writers on any task: the one that was passed, or a `DataSourceActor`.
  ///
  /// To edit its order here, use `updateOrder`. For all else that a source can do, keep a variable of
  /// its own type.
  public let source: any WritableListSource<SectionIdentifierType, ItemIdentifierType>
  /// The list view as the host of a controller.
  let host: Host
  let controller: ListController<SectionIdentifierType, ItemIdentifierType, Host>
  /// Called when a write without `await` was rejected, and when a view could not be made.
  ///
  /// The error is a `DataSourceError` or a `ListError`.
  public var errorHandler: ((any Error) -> Void)?
  /// The app's handlers for expanding and collapsing, see ``expandItems(_:completion:)``.
  public var sectionSnapshotHandlers = ExpansionHandlers<ItemIdentifierType>()

  /// The app's handlers for items that the user drags; by default no item may be dragged.
  ///
  /// Apple's data source for tables has no such handlers: there a subclass decides which rows can
  /// be moved.
  public var reorderingHandlers = DragHandlers<SectionIdentifierType, ItemIdentifierType>() {
    didSet {
      controller.reorderHandler = reorderingHandlers.didReorder
      controller.refusalHandler = reorderingHandlers.didRefuse
    }
  }

  /// A write that waits for its turn.
  struct Write {
    let change: OrderChange<SectionIdentifierType, ItemIdentifierType>
    var completions: [() -> Void] = []
    /// The call that waits for the result.
    var waiter: CheckedContinuation<Result<Revision, DataSourceError>, Never>?

    /// Whether a later snapshot may replace this write.
    var isReplaceable: Bool {
      if case .replacement = change.kind { waiter == nil } else { false }
    }
  }

  var queue: [Write] = []
  var isWriting = false
  /// The state after all queued writes, as far as it is known now; `nil` if no write is queued.
  var pending: Snapshot<SectionIdentifierType, ItemIdentifierType>?

  init(
    host: Host, source: (any WritableListSource<SectionIdentifierType, ItemIdentifierType>)?,
    provider: @escaping ListController<SectionIdentifierType, ItemIdentifierType, Host>.Provider
  ) {
    let source = source ?? DataSourceActor()
    self.source = source
    self.host = host
    controller = ListController(host: host, provider: provider)
    controller.errorHandler = { [weak self] in self?.errorHandler?($0) }
    controller.expansionHandler = { [weak self] item, isExpanded in
      if isExpanded { self?.expandItems([item]) } else { self?.collapseItems([item]) }
    }
    controller.start(following: source)
  }

  /// Whether the user may drag the item at a path on the screen.
  func canReorderItem(at path: ItemPath) -> Bool {
    controller.itemIdentifier(for: path).flatMap { reorderingHandlers.canReorderItem?($0) } ?? false
  }
}

// MARK: Looking up elements

extension DiffableDataSource {
  /// The newest state, to be edited and applied.
  ///
  /// It includes everything that was applied before, even if its turn has not come, and what others
  /// have written. It may be ahead of the screen. If there are other writers, edit the ``source``
  /// with its `updateOrder`, which no other write can interrupt.
  ///
  /// - Complexity: O(1).
  public func snapshot() -> Snapshot<SectionIdentifierType, ItemIdentifierType> {
    pending ?? source.publishedSnapshot
  }

  /// The section at an index on the screen, or `nil` if there is none.
  ///
  /// - Complexity: O(log s) for s sections.
  public func sectionIdentifier(for index: Int) -> SectionIdentifierType? {
    controller.sectionIdentifier(for: index)
  }

  /// The index of a section on the screen, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func index(for sectionIdentifier: SectionIdentifierType) -> Int? {
    controller.index(for: sectionIdentifier)
  }
}
