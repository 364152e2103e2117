import Diffable
import DiffableLayout

extension TerminalList {
  /// The time at which the first mark or ghost expires; `nil` if there is none.
  package var nextChangeMarkExpiry: ContinuousClock.Instant? {
    [marks.nextExpiry, arrangement.nextExpiry].compactMap(\.self).min()
  }

  /// Removes marks and ghosts that have been shown long enough.
  ///
  /// The list does this by itself, unless it was created with its own time.
  ///
  /// - Returns: Whether there were any; ``changeHandler`` has been called then.
  @discardableResult
  package func expireChangeMarks() -> Bool {
    let now = clock.now
    guard let nextChangeMarkExpiry, nextChangeMarkExpiry <= now else { return false }
    marks.expire(at: now)
    if arrangement.hasGhosts { arrangement.removeGhosts(at: now) }
    showStates()
    prefetch()
    return true
  }

  /// Schedules the removal of marks.
  func awaitExpiry() {
    clock.wait(until: nextChangeMarkExpiry) { [weak self] in
      self?.expireChangeMarks()
      self?.awaitExpiry()
    }
  }

  /// The expiry of a change mark that is made now; `nil` if there are no marks.
  var changeMarkExpiry: ContinuousClock.Instant? {
    changeMarkDuration.map { clock.now.advanced(by: min($0, .longest)) }
  }

  /// Marks the visible items that a stage has inserted or moved.
  func markChanges(of difference: SnapshotDifference, _ map: PositionMap) {
    guard let expiry = changeMarkExpiry, difference.isStructural else { return }
    let sections = Dictionary(
      difference.sectionMoves.map { ($0.to, $0.from) }, uniquingKeysWith: { first, _ in first })
    for element in visible.attributes.map(\.element) {
      if let path = arrangement.item(of: element) {
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
    // A marked cell may take another number of lines.
    refresh()
  }
}
