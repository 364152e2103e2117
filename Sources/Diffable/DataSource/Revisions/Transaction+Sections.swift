/// What a transaction changed in one section.
public struct SectionTransaction<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable, Equatable
{
  /// The section.
  public let sectionIdentifier: SectionID
  /// Its items before the change; empty if the section was inserted.
  public let initialItems: [ItemID]
  /// Its items after the change; empty if the section was deleted.
  public let finalItems: [ItemID]
  /// The difference between the two.
  ///
  /// The removal and the insertion of an item that moved inside the section name each other.
  public let difference: CollectionDifference<ItemID>
}

extension Transaction {
  /// What changed in each section whose items are not the same ones in the same order.
  ///
  /// Staying and inserted sections are listed in their new order, then deleted ones.
  ///
  /// - Complexity: O(s + n + c · log c) for s sections, n items in the changed ones, and c changes.
  ///   No identifiers are compared.
  public var sectionTransactions: [SectionTransaction<SectionID, ItemID>] {
    let difference = difference.replacingRenames
    let map = PositionMap(difference)
    let changes = ItemChanges(difference)
    var result: [SectionTransaction<SectionID, ItemID>] = []
    func add(_ section: SectionID, _ old: Int?, _ new: Int?) {
      let initial = old.map { [ItemID](initialSnapshot.items(inSectionAt: $0)) } ?? []
      let final = new.map { [ItemID](finalSnapshot.items(inSectionAt: $0)) } ?? []
      result.append(
        SectionTransaction(
          sectionIdentifier: section, initialItems: initial, finalItems: final,
          difference: changes.difference(of: old, initial, new, final)))
    }
    for (new, section) in finalSnapshot.sectionIdentifiers.enumerated() {
      guard let old = map.oldSection(forNew: new) else {
        if finalSnapshot.itemCount(ofSectionAt: new) > 0 { add(section, nil, new) }
        continue
      }
      if changes.areIn(old, new) { add(section, old, new) }
    }
    for old in difference.sectionDeletes.ranges.joined()
    where initialSnapshot.itemCount(ofSectionAt: old) > 0 {
      add(initialSnapshot.section(at: old), old, nil)
    }
    return result
  }
}

/// The items that leave and enter staying sections, by section.
private struct ItemChanges {
  /// By old section: the positions, and where the items of moves inside the section go.
  private var removed: [Int: [(position: Int, partner: Int?)]] = [:]
  /// By new section.
  private var inserted: [Int: [(position: Int, partner: Int?)]] = [:]

  init(_ difference: SnapshotDifference) {
    let map = PositionMap(difference)
    for path in difference.itemDeletes {
      removed[path.section, default: []].append((path.item, nil))
    }
    for path in difference.itemInserts {
      inserted[path.section, default: []].append((path.item, nil))
    }
    for move in difference.itemMoves {
      let isInside = map.newSection(forOld: move.from.section) == move.to.section
      removed[move.from.section, default: []]
        .append((move.from.item, isInside ? move.to.item : nil))
      inserted[move.to.section, default: []]
        .append((move.to.item, isInside ? move.from.item : nil))
    }
  }

  /// Whether any item has left or entered a section.
  func areIn(_ old: Int, _ new: Int) -> Bool { removed[old] != nil || inserted[new] != nil }

  /// The changes of the items of a section; all of them if it was inserted or deleted.
  func difference<ItemID>(
    of old: Int?, _ initial: [ItemID], _ new: Int?, _ final: [ItemID]
  ) -> CollectionDifference<ItemID> {
    let isStaying = old != nil && new != nil
    let all = { (items: [ItemID]) in items.indices.map { (position: $0, partner: Int?.none) } }
    let leaving = isStaying ? old.flatMap { removed[$0] } ?? [] : all(initial)
    let entering = isStaying ? new.flatMap { inserted[$0] } ?? [] : all(final)
    let changes =
      leaving.map {
        CollectionDifference.Change.remove(
          offset: $0.position, element: initial[$0.position], associatedWith: $0.partner)
      }
      + entering.map {
        .insert(offset: $0.position, element: final[$0.position], associatedWith: $0.partner)
      }
    guard let difference = CollectionDifference(changes) else {
      preconditionFailure("a difference has a position twice")
    }
    return difference
  }
}
