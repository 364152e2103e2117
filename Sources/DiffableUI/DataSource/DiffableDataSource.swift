public import Diffable
public import DiffableViews

/// What the data sources that read like Apple's have in common, whatever the view.
///
/// It owns a source, which the view follows, and lets it be used as Apple's data sources are:
/// snapshots are applied, with `await` or with a completion, and what is on the screen can be asked
/// for. Make one of the kind for your view; ``CollectionViewDiffableDataSource`` shows how.
///
/// - Any task may write to ``source``, at any time; the view follows.
/// - What Apple's data sources raise an exception for is a typed error: `apply` throws it, and where it
///   is called without `await`, ``errorHandler`` is told.
/// - Writes reach the source in the order of the calls, with `await` or without. Of snapshots that
///   follow one another and that nobody waits for, the newest one counts.
/// - ``snapshot()`` is the newest state, whereas index paths are those of what is on the screen.
@MainActor
public class DiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable,
  Host: ListHost
> {
  /// What an app has to say about folding and unfolding.
  public typealias SectionSnapshotHandlers = ExpansionHandlers<ItemIdentifierType>

  /// The source, for writers on any task: the one that was passed, or a `DataSourceActor`.
  ///
  /// To edit it in place here, use `updateOrder`; a `ModelSource` is better edited where its type
  /// is known.
  public let source: any EditableListSource<SectionIdentifierType, ItemIdentifierType>
  /// The list view as the host of a controller.
  let host: Host
  let controller: ListController<SectionIdentifierType, ItemIdentifierType, Host>
  /// Is told why a write without `await` was refused, and which views could not be made.
  ///
  /// What it is told is a `DataSourceError` or a `ListError`.
  public var errorHandler: ((any Error) -> Void)?
  /// What an app has to say about folding and unfolding, see ``expand(_:completion:)``.
  public var sectionSnapshotHandlers = SectionSnapshotHandlers()

  /// What an app has to say about items that the user drags.
  public typealias ReorderingHandlers = DragHandlers<SectionIdentifierType, ItemIdentifierType>

  /// What the app has to say about items that the user drags; none may be dragged at first.
  ///
  /// Apple's data source for tables has none: there a subclass says which rows can be moved.
  public var reorderingHandlers = ReorderingHandlers() {
    didSet { controller.moveHandler = reorderingHandlers.didReorder }
  }

  /// A write that waits for its turn.
  struct Write {
    enum Change {
      case replacement(Snapshot<SectionIdentifierType, ItemIdentifierType>)
      case edit(
        @Sendable (inout Snapshot<SectionIdentifierType, ItemIdentifierType>) throws(SnapshotError)
          -> Void)
    }

    let change: Change
    let presentation: Presentation
    var completions: [() -> Void] = []
    /// Who waits for the result.
    var waiter: CheckedContinuation<Result<Revision, DataSourceError>, Never>?

    /// Whether a snapshot that comes next may take the place of this write.
    var isReplaceable: Bool {
      if case .replacement = change { waiter == nil } else { false }
    }
  }

  var line: [Write] = []
  var isWriting = false
  /// What the line comes to, as far as can be known now.
  var pending: Snapshot<SectionIdentifierType, ItemIdentifierType>?

  init(
    host: Host, source: (any EditableListSource<SectionIdentifierType, ItemIdentifierType>)?,
    provider: @escaping ListController<SectionIdentifierType, ItemIdentifierType, Host>.Provider
  ) {
    let source = source ?? DataSourceActor()
    self.source = source
    self.host = host
    controller = ListController(host: host, provider: provider)
    controller.errorHandler = { [weak self] in self?.errorHandler?($0) }
    controller.expansionHandler = { [weak self] item, isExpanded in
      if isExpanded { self?.expand([item]) } else { self?.collapse([item]) }
    }
    controller.start(following: source)
  }

  /// Answers whether the user may drag the item at a path on the screen.
  func canReorderItem(at path: ItemPath) -> Bool {
    controller.itemIdentifier(for: path).flatMap { reorderingHandlers.canReorderItem?($0) } ?? false
  }
}

// MARK: What is where

extension DiffableDataSource {
  /// The newest state, to be edited and applied.
  ///
  /// It contains what was applied before, whether its turn has come or not, and what others have
  /// written. It may be ahead of the screen. Where there are other writers, edit the ``source`` by its
  /// `updateOrder`, which nobody can come between.
  ///
  /// - Complexity: O(1).
  public func snapshot() -> Snapshot<SectionIdentifierType, ItemIdentifierType> {
    pending ?? source.publishedSnapshot ?? controller.snapshot
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
