import Diffable
import DiffableLayout

extension TerminalList {
  /// When the first mark, or the first item that is gone, has been shown long enough; `nil` if there
  /// is none.
  public var nextChangeMarkExpiry: ContinuousClock.Instant? {
    [marks.nextExpiry, arrangement.nextExpiry].compactMap(\.self).min()
  }

  /// Lets go of marks, and of items that are gone, that have been shown long enough.
  ///
  /// The list does so by itself, unless it was made with a time that somebody else moves.
  ///
  /// - Returns: Whether there were any; ``changeHandler`` has been called then.
  @discardableResult
  public func expireChangeMarks() -> Bool {
    let now = clock.now
    guard let nextChangeMarkExpiry, nextChangeMarkExpiry <= now else { return false }
    marks.expire(at: now)
    if arrangement.hasGhosts {
      let anchor = anchors.first
      let places = orthogonalPlaces()
      arrangement.removeGhosts(at: now)
      offsets.restore(places, in: arrangement)
      refresh(keeping: anchor)
      prefetch()
    }
    changeHandler?()
    return true
  }

  /// Lets marks end by themselves.
  func awaitExpiry() {
    clock.wait(until: nextChangeMarkExpiry) { [weak self] in
      self?.expireChangeMarks()
      self?.awaitExpiry()
    }
  }

  /// When a change mark that is made now ends; `nil` if there are to be none.
  var changeMarkExpiry: ContinuousClock.Instant? {
    changeMarkDuration.map { clock.now.advanced(by: min($0, .longest)) }
  }

  /// Marks what is visible of what a stage has inserted and moved.
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
  }
}
