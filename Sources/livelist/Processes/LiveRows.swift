import Diffable

/// The rows a list shows while it follows a data source.
///
/// These are the sections and items of the newest batch, and, for a moment, marks on what it
/// inserted and moved, and what it deleted, in the place it had.
struct LiveRows<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  typealias Instant = ContinuousClock.Instant

  enum Element: Hashable, Sendable {
    case section(SectionID)
    case item(ItemID, section: SectionID)
  }

  /// What just happened to a row.
  enum Mark: Hashable, Sendable {
    case inserted
    case movedUp
    case movedDown
    case deleted
  }

  struct Row: Hashable, Sendable {
    let element: Element
    fileprivate(set) var mark: Mark?
    /// When the mark, or a row that was deleted, goes away.
    fileprivate var expiry: Instant?
  }

  /// How long a moment is.
  let moment: Duration
  private(set) var rows: [Row] = []

  init(moment: Duration) {
    self.moment = moment
  }

  /// Shows a batch that arrived now.
  ///
  /// - Complexity: O(n + c) for n rows and c changes.
  mutating func take(_ batch: UpdateBatch<SectionID, ItemID>, at now: Instant) {
    guard batch.base != nil else {
      rows = plainRows(of: batch.snapshot)
      return
    }
    expire(at: now)
    var marks = marks(of: batch, expiry: now + moment)
    // Marks of batches before this one live on where this one has nothing newer to say.
    for row in rows where row.mark != nil && row.mark != .deleted {
      if marks[row.element] == nil { marks[row.element] = row }
    }
    let fresh = plainRows(of: batch.snapshot).map { marks[$0.element] ?? $0 }
    rows = adding(departed(from: fresh, expiry: now + moment), to: fresh)
  }

  /// Lets go of marks and deleted rows whose moment is over; answers whether there were any.
  @discardableResult
  mutating func expire(at now: Instant) -> Bool {
    func isOver(_ row: Row) -> Bool { row.expiry.map { $0 <= now } ?? false }
    guard rows.contains(where: isOver) else { return false }
    rows = rows.compactMap { row in
      guard isOver(row) else { return row }
      return row.mark == .deleted ? nil : Row(element: row.element)
    }
    return true
  }

  private func plainRows(of snapshot: Snapshot<SectionID, ItemID>) -> [Row] {
    snapshot.sectionIdentifiers.flatMap { section in
      [Row(element: .section(section))]
        + snapshot.items(inSection: section).map {
          Row(element: .item($0, section: section))
        }
    }
  }

  /// The rows that a batch inserted or moved, by element.
  private func marks(
    of batch: UpdateBatch<SectionID, ItemID>, expiry: Instant
  ) -> [Element: Row] {
    let (snapshot, difference) = (batch.snapshot, batch.difference)
    var marks: [Element: Row] = [:]
    func mark(_ element: Element, _ mark: Mark) {
      marks[element] = Row(element: element, mark: mark, expiry: expiry)
    }
    func markItem(at path: ItemPath, _ kind: Mark) {
      guard let item = snapshot.itemIdentifier(for: path),
        let section = snapshot.sectionIdentifier(at: path.section)
      else { return }
      mark(.item(item, section: section), kind)
    }
    for index in difference.sectionInserts.ranges.joined() {
      guard let section = snapshot.sectionIdentifier(at: index) else { continue }
      mark(.section(section), .inserted)
      for item in snapshot.items(inSection: section) {
        mark(.item(item, section: section), .inserted)
      }
    }
    for move in difference.sectionMoves {
      guard let section = snapshot.sectionIdentifier(at: move.to) else { continue }
      mark(.section(section), move.to < move.from ? .movedUp : .movedDown)
    }
    for path in difference.itemInserts { markItem(at: path, .inserted) }
    for move in difference.itemMoves {
      markItem(at: move.to, move.to < move.from ? .movedUp : .movedDown)
    }
    return marks
  }

  /// Where a departed row stands: behind something that is still there.
  private enum Place: Hashable {
    case behind(Element)
    case behindSection(SectionID?)
  }

  /// The rows shown so far that are no longer there, by the place they had.
  private func departed(from fresh: [Row], expiry: Instant) -> [Place: [Row]] {
    let staying = Set(fresh.lazy.filter { $0.expiry != expiry }.map(\.element))
    var sections: Set<SectionID> = []
    var items: Set<ItemID> = []
    for row in fresh {
      switch row.element {
      case .section(let section): sections.insert(section)
      case .item(let item, _): items.insert(item)
      }
    }
    var departed: [Place: [Row]] = [:]
    var place = Place.behindSection(nil)
    var lastSection: SectionID?
    for row in rows {
      let isPresent: Bool
      switch row.element {
      case .section(let section):
        isPresent = sections.contains(section)
        place = isPresent ? .behind(row.element) : .behindSection(lastSection)
        if isPresent { lastSection = section }
      case .item(let item, let section):
        isPresent = items.contains(item)
        // What has just moved is no place to remember.
        if isPresent, sections.contains(section), staying.contains(row.element) {
          place = .behind(row.element)
        }
      }
      guard !isPresent else { continue }
      departed[place, default: []].append(
        row.mark == .deleted
          ? row : Row(element: row.element, mark: .deleted, expiry: expiry))
    }
    return departed
  }

  private func adding(_ departed: [Place: [Row]], to fresh: [Row]) -> [Row] {
    guard !departed.isEmpty else { return fresh }
    var result = departed[.behindSection(nil)] ?? []
    var section: SectionID?
    for row in fresh {
      if case .section(let next) = row.element {
        if let section { result += departed[.behindSection(section)] ?? [] }
        section = next
      }
      result.append(row)
      result += departed[.behind(row.element)] ?? []
    }
    if let section { result += departed[.behindSection(section)] ?? [] }
    return result
  }
}
