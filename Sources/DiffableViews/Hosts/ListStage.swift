public import Diffable

/// A stage on its way into a list view.
///
/// The host calls ``begin()`` where the view is to see the new data, that is, inside the view's
/// update, and ``end()`` when the view is done:
///
/// ```swift
/// func perform(_ stage: ListStage) {
///   view.performBatchUpdates {
///     stage.begin()
///     view.deleteItems(at: stage.difference.itemDeletes.map(indexPath))
///     // … and so on for the other kinds of change.
///   } completion: { _ in
///     stage.end()
///   }
/// }
/// ```
///
/// The next stage is not performed before this one has ended, however long that takes. A stage that
/// is forgotten has ended: a view that goes away in the middle of an update, or never calls its
/// completion, keeps nobody waiting.
@MainActor
public final class ListStage {
  /// What changes: old positions are in the state before the stage, new ones in the state after it.
  ///
  /// In a stage with reconfigured items the two states are the same. Their cells, where they are on
  /// the screen, show the new content already; a host that measures cells measures them again.
  public let difference: SnapshotDifference
  /// Answers whether the change is to be seen while it happens.
  public let isAnimated: Bool
  /// An item that is to be seen at the same place after the stage, by its path in the state after
  /// it.
  public let anchor: ListAnchor?

  private var install: (() -> Void)?
  private var ending: CheckedContinuation<Void, Never>?

  init(
    difference: SnapshotDifference, isAnimated: Bool, anchor: ListAnchor?,
    install: @escaping () -> Void, ending: CheckedContinuation<Void, Never>
  ) {
    self.difference = difference
    self.isAnimated = isAnimated
    self.anchor = anchor
    self.install = install
    self.ending = ending
  }

  deinit {
    ending?.resume()
  }

  /// Switches the content of the list to the state after this stage.
  ///
  /// A second call does nothing.
  ///
  /// - Complexity: O(1).
  public func begin() {
    guard let install, ending != nil else { return }
    self.install = nil
    install()
  }

  /// Says that the view shows the stage and takes the next one.
  ///
  /// A second call does nothing.
  public func end() {
    ending?.resume()
    ending = nil
  }
}
