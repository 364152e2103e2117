import Diffable

/// What a drag in the result of a query means in the source that the query shows.
struct RowMoves<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// Whether the rows are in an order of the query.
  let isSorted: Bool
  let isGrouped: Bool
  let isTree: Bool
  let change: (@Sendable (SectionID) -> any DropChange<ItemID>)?

  /// A move in the followed source.
  enum Move {
    case refused(ReorderRefusal)
    /// - Parameter section: The section whose change is made in the models; `nil` for none.
    case allowed(BasePlace<ItemID>?, section: SectionID?)
  }

  /// The move for a drop in a state of the derived source.
  func move(
    _ items: [ItemID], to destination: ReorderDestination<SectionID, ItemID>,
    in shown: Snapshot<SectionID, ItemID>, _ base: some BaseDrag<ItemID>
  ) -> Move {
    guard !isTree, let section = section(of: destination, in: shown) else { return .refused(.tree) }
    for item in items {
      guard let baseSection = base.section(of: item) else { return .refused(.readOnly) }
      if base.isTree(section: baseSection) { return .refused(.tree) }
    }
    let isElsewhere = items.contains { shown.sectionIdentifier(containingItem: $0) != section }
    let place: BasePlace<ItemID>?
    switch (isGrouped, isElsewhere) {
    case (_, false):
      if isSorted { return .refused(.sorted) }
      place = self.place(of: items, at: destination, in: shown)
      if let place, !isNear(place, items, base) { return .refused(.otherSection) }
    case (true, true):
      guard let change, change(section).model == base.model else { return .refused(.otherGroup) }
      // Where the query decides about the place, only the group changes.
      place =
        isSorted
        ? nil
        : self.place(of: items, at: destination, in: shown)
          .flatMap { isNear($0, items, base) ? $0 : nil }
    case (false, true):
      place = isSorted ? .end(of: section) : self.place(of: items, at: destination, in: shown)
    }
    if let place, let refusal = base.refusal(of: items, to: place) { return .refused(refusal) }
    return .allowed(place, section: isElsewhere && change != nil ? section : nil)
  }

  /// The section of a destination; `nil` below a row.
  private func section(
    of destination: ReorderDestination<SectionID, ItemID>, in shown: Snapshot<SectionID, ItemID>
  ) -> SectionID? {
    switch destination {
    case .before(let anchor), .after(let anchor): shown.sectionIdentifier(containingItem: anchor)
    case .into: nil
    case .end(of: let section): section
    }
  }

  /// The place in the followed source; `nil` if there is no row that tells.
  private func place(
    of items: [ItemID], at destination: ReorderDestination<SectionID, ItemID>,
    in shown: Snapshot<SectionID, ItemID>
  ) -> BasePlace<ItemID>? {
    switch destination {
    case .before(let anchor), .into(let anchor): return .before(anchor)
    case .after(let anchor): return .after(anchor)
    case .end(of: let section):
      // A row after it may be hidden by the query.
      let last = shown.items(inSection: section).last { !items.contains($0) }
      if let last { return .after(last) }
      return isGrouped ? nil : .end(of: section)
    }
  }

  /// Whether a place is in the section that the items have in the followed source.
  private func isNear(
    _ place: BasePlace<ItemID>, _ items: [ItemID], _ base: some BaseDrag<ItemID>
  ) -> Bool {
    guard isGrouped else { return true }
    switch place {
    case .before(let anchor), .after(let anchor):
      let section = base.section(of: anchor)
      return items.allSatisfy { base.section(of: $0) == section }
    case .end: return true
    }
  }
}

extension ListQuery {
  /// What a drag in its result means.
  var moves: RowMoves<SectionID, ItemID> {
    RowMoves(
      isSorted: traits.order != nil || traits.isRanked || traits.isRegrouped,
      isGrouped: traits.isGrouped, isTree: traits.isTree, change: moveChange)
  }
}
