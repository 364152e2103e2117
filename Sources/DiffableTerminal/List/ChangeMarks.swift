import Diffable

/// The change marks of items, and of sections, whose headers show them.
struct ChangeMarks: Sendable {
  private struct Timed: Sendable {
    let mark: ChangeMark
    let expiry: ContinuousClock.Instant
  }

  private var items: [ItemPath: Timed] = [:]
  private var sections: [Int: Timed] = [:]

  /// The time at which the first mark has to be removed.
  var nextExpiry: ContinuousClock.Instant? {
    (items.values.map(\.expiry) + sections.values.map(\.expiry)).min()
  }

  func mark(ofItem path: ItemPath) -> ChangeMark? { items[path]?.mark }

  func mark(ofSection section: Int) -> ChangeMark? { sections[section]?.mark }

  /// Removes marks that have been shown long enough.
  mutating func expire(at now: ContinuousClock.Instant) {
    items = items.filter { $0.value.expiry > now }
    sections = sections.filter { $0.value.expiry > now }
  }

  mutating func mark(item: ItemPath, _ mark: ChangeMark, until expiry: ContinuousClock.Instant) {
    items[item] = Timed(mark: mark, expiry: expiry)
  }

  mutating func mark(section: Int, _ mark: ChangeMark, until expiry: ContinuousClock.Instant) {
    sections[section] = Timed(mark: mark, expiry: expiry)
  }

  /// Moves marks along with their items and sections.
  mutating func move(by map: PositionMap) {
    func moved<Key: Hashable>(_ marks: [Key: Timed], _ target: (Key) -> Key?) -> [Key: Timed] {
      Dictionary(
        marks.compactMap { key, mark in target(key).map { ($0, mark) } },
        uniquingKeysWith: { first, _ in first })
    }
    items = moved(items) { map.newPath(forOld: $0) }
    sections = moved(sections) { map.newSection(forOld: $0) }
  }
}
