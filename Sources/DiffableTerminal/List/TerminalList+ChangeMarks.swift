import Diffable
import DiffableLayout

extension TerminalList {
  /// When the first mark, or the first item that is gone, has been shown long enough; `nil` if there
  /// is none.
  public var nextChangeMarkExpiry: ContinuousClock.Instant? { marks.nextExpiry }

  /// Lets go of marks, and of items that are gone, that have been shown long enough.
  ///
  /// The list does so by itself, unless it was made with a time that somebody else moves.
  ///
  /// - Returns: Whether there were any; ``changeHandler`` has been called then.
  @discardableResult
  public func expireChangeMarks() -> Bool {
    let former = marks
    let anchor = anchors.first
    let places = orthogonalPlaces()
    guard marks.expire(at: now()) else { return false }
    if former.hasGhosts {
      solve(afterGhosts: former)
      restore(places) { $0 }
      refresh(keeping: anchor)
      prefetch()
    }
    changeHandler?()
    return true
  }

  /// Lets marks end by themselves.
  func awaitExpiry() {
    let deadline = nextChangeMarkExpiry
    guard time == nil, deadline != expiry?.deadline else { return }
    expiry?.task.cancel()
    expiry = deadline.map { deadline in
      let task = Task { [weak self] in
        try? await Task.sleep(until: deadline, clock: .continuous)
        guard !Task.isCancelled, let self else { return }
        expiry = nil
        expireChangeMarks()
        awaitExpiry()
      }
      return (deadline, task)
    }
  }

  private func now() -> ContinuousClock.Instant { time?() ?? .now }

  /// When a change mark that is made now ends; `nil` if there are to be none.
  var changeMarkExpiry: ContinuousClock.Instant? {
    changeMarkDuration.map { now().advanced(by: min($0, .longest)) }
  }

  /// Marks what is visible of what a stage has inserted and moved.
  func markChanges(of difference: SnapshotDifference, _ map: PositionMap) {
    guard let expiry = changeMarkExpiry, difference.isStructural else { return }
    let sections = Dictionary(
      difference.sectionMoves.map { ($0.to, $0.from) }, uniquingKeysWith: { first, _ in first })
    for element in shown.map(\.element) {
      if let path = item(of: element) {
        if let source = map.source(ofMoveTo: path) {
          marks.mark(item: path, path < source ? .movedUp : .movedDown, until: expiry)
        } else if map.oldPath(forNew: path) == nil {
          marks.mark(item: path, .inserted, until: expiry)
        }
      } else if element.kind != nil, element.path != .layout {
        let section = element.path.section
        if let source = sections[section] {
          marks.mark(section: section, section < source ? .movedUp : .movedDown, until: expiry)
        } else if map.oldSection(forNew: section) == nil {
          marks.mark(section: section, .inserted, until: expiry)
        }
      }
    }
  }
}
