import Diffable

/// The state before a step.
struct StepInput<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  let snapshot: Snapshot<SectionID, ItemID>
  var origin: Origin
  /// What writers have marked, renamed and placed since the previous input.
  let marks: Snapshot<SectionID, ItemID>.Marks
  /// The rows of the followed source that have other identifiers since then, also those that it hides.
  ///
  /// Only the first step has them.
  var renames = ItemRenames<ItemID>()
  /// The expanded rows of its trees.
  var expansion = ExpansionFlags<ItemID>()
  /// The same, among the rows that a search has found.
  var findings = ExpansionFlags<ItemID>()
  /// Whether a newer query waits, so that a step that takes long may be given up.
  var isSuperseded: @Sendable () -> Bool = { false }
  /// The ranks of its rows, if a step wants them.
  var ranks: RowRanks<ItemID>?
  /// The hub whose clock says how long steps take.
  var timer: Hub?

  /// How it relates to the previous input.
  enum Origin {
    /// Unknown: the step is computed from scratch.
    case unknown
    /// It is the state that the computed steps are already based on.
    case same
    /// It follows the state that the step is based on.
    case changed(InputChange<SectionID, ItemID>)
  }

  /// How it follows the previous input; `nil` if that is unknown.
  var change: InputChange<SectionID, ItemID>? {
    switch origin {
    case .unknown: nil
    case .same: InputChange(of: snapshot)
    case .changed(let change): change
    }
  }

  init(
    _ snapshot: Snapshot<SectionID, ItemID>, _ origin: Origin,
    marks: Snapshot<SectionID, ItemID>.Marks = .init()
  ) {
    (self.snapshot, self.origin, self.marks) = (snapshot, origin, marks)
  }

  /// The same state, in which rows at some places may show something else.
  init(_ snapshot: Snapshot<SectionID, ItemID>, reconfiguring paths: [ItemPath]) {
    var difference = SnapshotDifference()
    difference.itemReconfigures = ItemPathSet(paths)
    self.init(snapshot, .changed(InputChange(from: snapshot, to: snapshot, difference)))
  }
}

/// The state of another source that a step merges with its input.
struct OtherInput<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  let snapshot: Snapshot<SectionID, ItemID>
  /// Whether it is before the input: then common elements are placed where this one has them.
  let isFirst: Bool
}

/// A change of the input of a step.
///
/// It is an object, since a difference takes long to copy, and all who follow one input share it.
final class InputChange<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  let old: Snapshot<SectionID, ItemID>
  let new: Snapshot<SectionID, ItemID>
  /// A renamed row is looked up under its new identifier: it counts as deleted and inserted.
  let difference: SnapshotDifference
  private(set) lazy var map = PositionMap(difference)
  /// The map from new to old positions: the order of a query mostly distinguishes two rows, and then
  /// it is not needed.
  private(set) lazy var back = PositionMap(difference.inverse)
  /// The rows that leave their places.
  private var leaving: [ItemPath] = []
  /// The places of these rows, as soon as one is looked up.
  private var formerPaths: IdentifierMap<ItemID, ItemPath>?

  init(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>,
    _ difference: SnapshotDifference
  ) {
    (self.old, self.new) = (old, new)
    self.difference = difference.replacingRenames
  }

  /// A state that stays as it is.
  convenience init(of state: Snapshot<SectionID, ItemID>) {
    self.init(from: state, to: state, SnapshotDifference())
  }

  /// The sections that are no longer there.
  var deletedSections: [SectionID] { old.identifiers(difference.sectionDeletes) }

  /// The sections that were inserted, or moved among others.
  var placedSections: [SectionID] {
    var placed = difference.sectionInserts
    for move in difference.sectionMoves { placed.insert(contentsOf: move.to..<move.to + 1) }
    return new.identifiers(placed)
  }

  /// The sections that stay, and whose headers may show something else.
  var changedHeaders: [SectionID] {
    new.identifiers(
      difference.sectionReconfigures.union(map.newSections(forOld: difference.sectionReloads)))
  }

  /// The place of a row in the old input.
  ///
  /// The table of the list no longer has rows that are gone, so the old input would be searched for such a row.
  ///
  /// - Complexity: O(log n) for n rows, after ``rows(atMost:movingSections:)`` has found c that leave, and O(c · log n)
  ///   once.
  func oldPath(of item: ItemID) -> ItemPath? {
    var paths = formerPaths ?? IdentifierMap()
    if formerPaths == nil {
      for path in leaving { paths[old.row(at: path).item()] = path }
      formerPaths = paths
    }
    return paths[item] ?? old.itemPath(for: item)
  }

  /// The number of changed rows, among a number of rows, up to which they are followed one by one.
  static func limit(among count: Int) -> Int { Swift.max(64, count / 16) }

  /// The same for the rows of the new input.
  var limit: Int { Self.limit(among: new.numberOfItems) }

  /// The rows that leave, arrive and show something else; `nil` if there are too many.
  ///
  /// - Parameters:
  ///   - limit: Their greatest number; `nil` for ``limit``.
  ///   - movingSections: Whether the rows of moving sections leave and arrive. They do if rows are
  ///     grouped into sections by a key: the order of two rows then depends on the order of their old
  ///     sections.
  func rows(atMost limit: Int? = nil, movingSections: Bool = false) -> ChangedRows? {
    let limit = limit ?? self.limit
    var rows = ChangedRows()
    guard
      difference.itemDeletes.count + difference.itemInserts.count + 2 * difference.itemMoves.count
        + difference.itemReloads.count + difference.itemReconfigures.count <= limit
    else { return nil }
    guard !difference.isStructural || addPlaced(to: &rows, limit, movingSections) else {
      return nil
    }
    (leaving, formerPaths) = (rows.leaving, nil)
    let entering = Set(rows.entering)
    let reloaded = Array(map.newPaths(forOld: difference.itemReloads))
    rows.updated = (difference.itemReconfigures + reloaded).filter { !entering.contains($0) }
    guard !difference.sectionReloads.isEmpty else { return rows }
    // What the reload of a section covers is not listed.
    let sections = map.newSections(forOld: difference.sectionReloads)
    guard add(sections, of: new, to: &rows.updated, limit) else { return nil }
    rows.updated.removeAll { entering.contains($0) }
    return rows
  }

  /// The identifiers of rows that come or go: not of those that move.
  func comingOrGoing(_ rows: ChangedRows) -> [ItemID] {
    let gone = IdentifierSet<ItemID>(rows.leaving.map { old.row(at: $0).item() })
    let come = IdentifierSet<ItemID>(rows.entering.map { new.row(at: $0).item() })
    return gone.inOrder.filter { !come.contains($0) } + come.inOrder.filter { !gone.contains($0) }
  }

  /// Adds the rows that leave and arrive; returns whether they are few enough.
  private func addPlaced(
    to rows: inout ChangedRows, _ limit: Int, _ movingSections: Bool
  ) -> Bool {
    rows.leaving = difference.itemDeletes + difference.itemMoves.map { $0.from }
    rows.entering = difference.itemInserts + difference.itemMoves.map { $0.to }
    var gone = difference.sectionDeletes
    var come = difference.sectionInserts
    if movingSections {
      for move in difference.sectionMoves {
        gone.insert(contentsOf: move.from..<move.from + 1)
        come.insert(contentsOf: move.to..<move.to + 1)
      }
    }
    return add(gone, of: old, to: &rows.leaving, limit)
      && add(come, of: new, to: &rows.entering, limit)
  }

  /// Adds the rows of some sections that are not listed yet; returns whether they are few enough.
  private func add(
    _ sections: RangeSet<Int>, of snapshot: Snapshot<SectionID, ItemID>, to paths: inout [ItemPath],
    _ limit: Int
  ) -> Bool {
    guard !sections.isEmpty else { return true }
    // Rows of a section that only moves may be inserted or deleted too.
    let known = Set(paths)
    for section in sections.ranges.joined() where section < snapshot.numberOfSections {
      let count = snapshot.itemCount(ofSectionAt: section)
      guard paths.count + count <= limit else { return false }
      for item in 0..<count {
        let path = ItemPath(section: section, item: item)
        if !known.contains(path) { paths.append(path) }
      }
    }
    return true
  }
}

/// Rows of the input of a step, by the kind of their change.
struct ChangedRows {
  /// Rows that leave their place, in the old index space.
  var leaving: [ItemPath] = []
  /// Rows that arrive at a place, in the new index space.
  var entering: [ItemPath] = []
  /// Rows that stay in place and may show something else, in the new index space.
  var updated: [ItemPath] = []

  var count: Int { leaving.count + entering.count + updated.count }
}

extension Snapshot {
  fileprivate func identifiers(_ sections: RangeSet<Int>) -> [SectionID] {
    sections.ranges.joined().compactMap(sectionIdentifier(at:))
  }
}

extension GivenContent {
  /// Sets the models of sections that have changed, in a step that keeps its sections.
  mutating func setHeaders<In>(_ change: InputChange<SectionID, In>) {
    for section in change.changedHeaders {
      sections[section] = change.new.content(ofSection: section) ?? SectionContent()
    }
  }
}
