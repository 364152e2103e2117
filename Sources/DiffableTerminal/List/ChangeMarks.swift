import Diffable
import DiffableLayout

/// What has just happened to items and sections, and items that are gone and still shown.
///
/// The latter are *ghosts*. A ghost takes a slot of the layout, so that the items behind it make room
/// for it: a slot is counted with ghosts, an item without.
///
/// Invariants:
///
/// 1. No section without ghosts is listed.
/// 2. The ghosts of a section are ordered by what they stand in front of.
struct ChangeMarks: Sendable {
  struct Timed: Sendable {
    let mark: ChangeMark
    let expiry: ContinuousClock.Instant
  }

  /// An item that is gone, between the items that are there.
  struct Ghost: Sendable {
    let cell: TerminalCell
    /// Which item of the section it stands in front of.
    var gap: Int
    let expiry: ContinuousClock.Instant
  }

  private(set) var items: [ItemPath: Timed] = [:]
  /// The marks of section headers.
  private(set) var sections: [Int: Timed] = [:]
  /// By section.
  private(set) var ghosts: [Int: [Ghost]] = [:]

  var hasGhosts: Bool { !ghosts.isEmpty }

  /// When the first mark or ghost is to go.
  var nextExpiry: ContinuousClock.Instant? {
    (items.values.map(\.expiry) + sections.values.map(\.expiry)
      + ghosts.values.joined().map(\.expiry)).min()
  }

  /// Lets go of what has been shown long enough; answers whether there was anything.
  mutating func expire(at now: ContinuousClock.Instant) -> Bool {
    guard let nextExpiry, nextExpiry <= now else { return false }
    items = items.filter { $0.value.expiry > now }
    sections = sections.filter { $0.value.expiry > now }
    ghosts = ghosts.mapValues { $0.filter { $0.expiry > now } }.filter { !$0.value.isEmpty }
    return true
  }

  mutating func mark(item: ItemPath, _ mark: ChangeMark, until expiry: ContinuousClock.Instant) {
    items[item] = Timed(mark: mark, expiry: expiry)
  }

  mutating func mark(section: Int, _ mark: ChangeMark, until expiry: ContinuousClock.Instant) {
    sections[section] = Timed(mark: mark, expiry: expiry)
  }

  /// Takes everything along to where a change moves it.
  ///
  /// - Parameters:
  ///   - map: The change.
  ///   - departed: The visible items that go with it, in order, with their cells.
  ///   - expiry: When those are to go for good.
  mutating func move(
    by map: PositionMap, departed: [(path: ItemPath, cell: TerminalCell)],
    until expiry: ContinuousClock.Instant
  ) {
    func moved<Key: Hashable>(_ marks: [Key: Timed], _ target: (Key) -> Key?) -> [Key: Timed] {
      Dictionary(
        marks.compactMap { key, mark in target(key).map { ($0, mark) } },
        uniquingKeysWith: { first, _ in first })
    }
    items = moved(items) { map.newPath(forOld: $0) }
    sections = moved(sections) { map.newSection(forOld: $0) }
    var old: [(path: ItemPath, isItem: Bool, ghost: Ghost)] = departed.map { path, cell in
      (path, true, Ghost(cell: cell, gap: path.item, expiry: expiry))
    }
    for (section, ghosts) in ghosts {
      old += ghosts.map { (ItemPath(section: section, item: $0.gap), false, $0) }
    }
    // Ghosts stand in front of the item of the same number. The sort is stable.
    old.sort { ($0.path, $0.isItem ? 1 : 0) < ($1.path, $1.isItem ? 1 : 0) }
    ghosts = [:]
    for (path, _, ghost) in old {
      guard let gap = map.newGap(forOld: path) else { continue }
      var ghost = ghost
      ghost.gap = gap.item
      ghosts[gap.section, default: []].append(ghost)
    }
    _checkInvariants()
  }

  /// Forgets everything.
  mutating func removeAll() {
    self = ChangeMarks()
  }
}

// MARK: Slots

extension ChangeMarks {
  /// The slots of each section.
  func slotCounts(_ itemCounts: [Int]) -> [Int] {
    guard hasGhosts else { return itemCounts }
    return itemCounts.enumerated().map { $1 + (ghosts[$0]?.count ?? 0) }
  }

  /// Where an item is.
  func slot(of path: ItemPath) -> LayoutPath {
    let before = ghosts[path.section]?.count { $0.gap <= path.item } ?? 0
    return LayoutPath(section: path.section, item: path.item + before)
  }

  /// The ghost in a slot.
  func ghost(at slot: LayoutPath) -> Ghost? {
    ghosts[slot.section]?.enumerated().first { $1.gap + $0 == slot.item }?.element
  }

  /// The item in a slot; `nil` for a ghost.
  func item(at slot: LayoutPath) -> ItemPath? {
    var item = slot.item
    for (index, ghost) in (ghosts[slot.section] ?? []).enumerated() {
      if ghost.gap + index == slot.item { return nil }
      if ghost.gap + index < slot.item { item -= 1 }
    }
    return ItemPath(section: slot.section, item: item)
  }
}
