public import Diffable

/// A stage to be performed by a list view.
///
/// The host calls ``begin()`` when the view should use the new data, that is, inside the view's
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
/// is released counts as ended: a view that is released in the middle of an update, or never calls
/// its completion, blocks nothing.
@MainActor
public final class ListStage {
  /// What changes: old positions are in the state before the stage, new ones in the state after it.
  ///
  /// In a stage with reconfigured items the two states are the same. Visible cells show the new
  /// content already; a host that measures cells measures them again.
  public let difference: SnapshotDifference
  /// Whether the change should be animated.
  public let isAnimated: Bool
  /// What stays in place on the screen, for the state after the stage.
  ///
  /// It is chosen for the whole batch: its row is not one that a later stage moves.
  public let anchor: ListAnchor
  /// Whether the state after the stage is the last one of its batch.
  ///
  /// Otherwise an item that is gone may come back with a later stage.
  package let isLast: Bool

  private var install: (() -> Void)?
  private var ending: CheckedContinuation<Void, Never>?

  init(
    difference: SnapshotDifference, isAnimated: Bool, anchor: ListAnchor, isLast: Bool,
    install: @escaping () -> Void, ending: CheckedContinuation<Void, Never>
  ) {
    self.difference = difference
    self.isAnimated = isAnimated
    self.anchor = anchor
    self.isLast = isLast
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

  /// Reports that the view shows the stage and can take the next one.
  ///
  /// A second call does nothing.
  public func end() {
    ending?.resume()
    ending = nil
  }
}
