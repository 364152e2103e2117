import Diffable
import DiffableLayout

/// Deleted items that are still shown, between the remaining items.
///
/// A ghost takes a slot of the layout, so the items after it are shifted. Slots are counted with
/// ghosts, items without.
///
/// Invariants:
///
/// 1. No section without ghosts is listed.
/// 2. The ghosts of a section are ordered by the item that they are before.
struct Ghosts: Sendable {
  struct Ghost: Sendable {
    let cell: TerminalCell
    /// The index of the item that the ghost is before.
    var gap: Int
    let expiry: ContinuousClock.Instant
  }

  private(set) var sections: [Int: [Ghost]] = [:]

  var isEmpty: Bool { sections.isEmpty }

  /// The time at which the first one has to be removed.
  var nextExpiry: ContinuousClock.Instant? { sections.values.joined().map(\.expiry).min() }

  /// Removes those that have been shown long enough.
  mutating func expire(at now: ContinuousClock.Instant) {
    sections = sections.mapValues { $0.filter { $0.expiry > now } }.filter { !$0.value.isEmpty }
  }

  /// Moves all ghosts by a change, and adds new ones.
  ///
  /// - Parameters:
  ///   - map: The change.
  ///   - departed: The visible items that it deletes, in order, with their cells.
  ///   - expiry: The time at which these have to be removed.
  mutating func move(
    by map: PositionMap, departed: [(path: ItemPath, cell: TerminalCell)],
    until expiry: ContinuousClock.Instant
  ) {
    guard !departed.isEmpty || !isEmpty else { return }
    var old: [(path: ItemPath, isItem: Bool, ghost: Ghost)] = departed.map { path, cell in
      (path, true, Ghost(cell: cell, gap: path.item, expiry: expiry))
    }
    for (section, ghosts) in sections {
      old += ghosts.map { (ItemPath(section: section, item: $0.gap), false, $0) }
    }
    // A ghost is before the item of the same number. The sort is stable.
    old.sort { ($0.path, $0.isItem ? 1 : 0) < ($1.path, $1.isItem ? 1 : 0) }
    sections = [:]
    for (path, _, ghost) in old {
      guard let gap = map.newGap(forOld: path) else { continue }
      var ghost = ghost
      ghost.gap = gap.item
      sections[gap.section, default: []].append(ghost)
    }
    _checkInvariants()
  }
}

// MARK: Slots

extension Ghosts {
  /// The slots of each section.
  func slotCounts(_ itemCounts: [Int]) -> [Int] {
    guard !isEmpty else { return itemCounts }
    return itemCounts.enumerated().map { $1 + (sections[$0]?.count ?? 0) }
  }

  /// The slot of an item.
  func slot(of path: ItemPath) -> LayoutPath {
    let before = sections[path.section]?.count { $0.gap <= path.item } ?? 0
    return LayoutPath(section: path.section, item: path.item + before)
  }

  /// The cell of the ghost in a slot.
  func cell(at slot: LayoutPath) -> TerminalCell? {
    sections[slot.section]?.enumerated().first { $1.gap + $0 == slot.item }?.element.cell
  }

  /// The item in a slot; `nil` for a ghost.
  func item(at slot: LayoutPath) -> ItemPath? {
    var item = slot.item
    for (index, ghost) in (sections[slot.section] ?? []).enumerated() {
      if ghost.gap + index == slot.item { return nil }
      if ghost.gap + index < slot.item { item -= 1 }
    }
    return ItemPath(section: slot.section, item: item)
  }
}
