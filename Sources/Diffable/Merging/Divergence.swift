/// What one side changed since a base, by identifier.
///
/// A difference leaves out the items of inserted and deleted sections. Here they count like all
/// others: an item that was deleted with one section and inserted with another has moved.
final class Divergence<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  var insertedSections = IdentifierSet<SectionID>()
  /// In their order in the base.
  var deletedSections: [SectionID] = []
  var movedSections = IdentifierSet<SectionID>()
  /// The indices of inserted and moved sections on this side.
  var placedSections = RangeSet<Int>()

  var insertedItems = IdentifierSet<ItemID>()
  /// In their order in the base.
  var deletedItems: [ItemID] = []
  /// The moved items, each with its old section.
  var movedItems = IdentifierMap<ItemID, SectionID>()
  /// The paths of inserted and moved items on this side.
  var placedItems = ItemPathSet()

  /// Whether nothing was inserted, moved or deleted.
  var isEmpty: Bool {
    placedItems.isEmpty && placedSections.isEmpty && deletedItems.isEmpty && deletedSections.isEmpty
  }

  /// Compares two valid snapshots.
  ///
  /// What this side has placed counts as moved, and not what it was moved past: also where it would be
  /// fewer.
  ///
  /// - Parameter placed: What this side has placed since the base.
  /// - Complexity: The cost of finding the difference, and O(c · log n) for c changed elements.
  init(
    from base: Snapshot<SectionID, ItemID>, to side: Snapshot<SectionID, ItemID>,
    placing placed: PlacedRows<SectionID, ItemID>
  ) {
    let difference = side.moves(since: base, placing: placed)
    deletedSections = difference.sectionDeletes.ranges.joined()
      .compactMap(base.sectionIdentifier(at:))
    insertedSections = IdentifierSet(
      difference.sectionInserts.ranges.joined().compactMap(side.sectionIdentifier(at:)))
    movedSections = IdentifierSet(
      difference.sectionMoves.compactMap { side.sectionIdentifier(at: $0.to) })
    placedSections = RangeSet(
      sorting: difference.sectionInserts.ranges + difference.sectionMoves.map { $0.to..<$0.to + 1 })

    var origins = IdentifierMap<ItemID, SectionID>()
    let departures = Self.departures(difference, base)
    for (item, section) in departures { origins[item] = section }
    var places: [ItemPath] = []
    for (item, path) in Self.arrivals(difference, side) {
      places.append(path)
      if let origin = origins[item] {
        origins[item] = nil
        movedItems[item] = origin
      } else {
        insertedItems.insert(item)
      }
    }
    deletedItems = departures.lazy.map(\.item).filter { origins[$0] != nil }

    for move in difference.itemMoves {
      places.append(move.to)
      guard let item = side.itemIdentifier(for: move.to),
        let section = base.sectionIdentifier(at: move.from.section)
      else { continue }
      movedItems[item] = section
    }
    placedItems = ItemPathSet(places)
  }

  /// The items that are listed as deleted, and those of deleted sections.
  static func departures(
    _ difference: SnapshotDifference, _ base: Snapshot<SectionID, ItemID>
  ) -> [(item: ItemID, section: SectionID)] {
    var departures: [(path: ItemPath, item: ItemID, section: SectionID)] = []
    for index in difference.sectionDeletes.ranges.joined() {
      guard let section = base.sectionIdentifier(at: index) else { continue }
      for (place, item) in base.items(inSectionAt: index).enumerated() {
        departures.append((ItemPath(section: index, item: place), item, section))
      }
    }
    for path in difference.itemDeletes {
      guard let item = base.itemIdentifier(for: path),
        let section = base.sectionIdentifier(at: path.section)
      else { continue }
      departures.append((path, item, section))
    }
    return departures.sortedIfNeeded { $0.path }.map { ($0.item, $0.section) }
  }

  /// The items that are listed as inserted, and those of inserted sections.
  static func arrivals(
    _ difference: SnapshotDifference, _ side: Snapshot<SectionID, ItemID>
  ) -> [(item: ItemID, path: ItemPath)] {
    var arrivals: [(item: ItemID, path: ItemPath)] = []
    for index in difference.sectionInserts.ranges.joined() {
      for (place, item) in side.items(inSectionAt: index).enumerated() {
        arrivals.append((item, ItemPath(section: index, item: place)))
      }
    }
    for path in difference.itemInserts {
      guard let item = side.itemIdentifier(for: path) else { continue }
      arrivals.append((item, path))
    }
    return arrivals
  }
}

extension Snapshot {
  /// What one side of a merge has changed since the base, in positions.
  package func moves(since base: Snapshot, placing placed: Placed) -> SnapshotDifference {
    difference(fromValid: base, marks: Marks(placing: placed), moving: .placed)
  }
}

extension SnapshotDifference {
  /// Whether an item was moved or inserted to its path, alone or with its section.
  ///
  /// - Complexity: O(log c) for c changes.
  package func bringsItem(to path: ItemPath) -> Bool {
    Self.hasMove(to: path, in: itemMoves) || itemInserts.contains(path)
      || sectionInserts.contains(path.section)
  }

  func movesSection(to index: Int) -> Bool { Self.hasMove(to: index, in: sectionMoves) }

  private static func hasMove<Position: Comparable>(
    to target: Position, in moves: [Move<Position>]
  ) -> Bool {
    let index = moves.partitioningIndex { $0.to >= target }
    return index < moves.count && moves[index].to == target
  }
}
