import Diffable

extension DeltaPlan {
  typealias Live = LiveState<SectionID, ItemID>

  /// Applies the change to the live state that the plan was made for.
  ///
  /// - Parameters:
  ///   - given: The models that come with the delta.
  ///   - arrived: What followers show already that was not in the base; `nil` if they show the base. Otherwise
  ///     whatever the delta lists counts as marked, as does what it brings once more: it does not say whether
  ///     somebody has marked what is new, or has a new model, as well.
  /// - Throws: ``SnapshotError`` if an item has no model or a model has no item, and where identifiers
  ///   break the laws of `Hashable`. Nothing has changed then.
  /// - Complexity: O(c · log n) for c changes among n items.
  func carryOut(
    _ given: Live.Given, onceMore arrived: IdentifierSet<ItemID>?, _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    let changes = arrived == nil ? changes(of: given) : nil
    return try live.edit { draft, content throws(SnapshotError) in
      try apply(to: &draft)
      if let unknown = draft.unknown(of: given) { throw unknown }
      content = given
      mark(&draft, except: changes)
      if let arrived { draft.marks.reconfigure(items: arrived.inOrder.filter(arrivals.contains)) }
    }
  }

  /// The state after the change, without its lookup table, and with the marks of the change.
  ///
  /// - Throws: ``SnapshotError`` only if identifiers break the laws of `Hashable`.
  /// - Complexity: O(c · log n) for c changes among n items, and a scan of n hashes if it renames some.
  func state(giving given: Live.Given) throws(SnapshotError) -> Snapshot<SectionID, ItemID> {
    let changes = changes(of: given)
    var state = old
    try apply(to: &state)
    mark(&state, except: changes)
    return state
  }

  /// The models that the list does not have yet.
  ///
  /// With a whole outline come those of rows that stay as they are, too.
  private func changes(of given: Live.Given) -> Live.Given {
    outlines.isEmpty ? given : given.changes(since: old)
  }

  /// Marks the items and sections that the delta marks.
  ///
  /// What it lists because it has a new model, or because a tree draws it otherwise, nobody has marked.
  ///
  /// - Parameter given: The models that differ from those of the list; `nil` to mark all that it lists.
  private func mark(_ draft: inout Snapshot<SectionID, ItemID>, except given: Live.Given?) {
    let difference = delta.difference
    draft.marks.placed.formUnion(placed(in: draft))
    guard difference.hasRefreshes || !delta.renamedItems.isEmpty else { return }
    let state = draft
    draft.marks.rename(delta.renamedItems.filter { state.containsItem($0.new) })
    // By position: another item may have the old identifier of a renamed one.
    let map = PositionMap(difference)
    func isDrawnAlike(_ path: ItemPath) -> Bool {
      let leaf = Disclosure(level: 0, sign: .leaf)
      let former = map.oldPath(forNew: path).flatMap(old.disclosure(ofItemAt:)) ?? leaf
      return former == state.disclosure(ofItemAt: path) ?? leaf
    }
    if !difference.itemReloads.isEmpty {
      let reloads = map.newPaths(forOld: difference.itemReloads)
      draft.marks.reload(items: reloads.lazy.compactMap(state.itemIdentifier(for:)))
    }
    draft.marks.reconfigure(
      items: difference.itemReconfigures.compactMap { path in
        guard let item = state.itemIdentifier(for: path) else { return nil }
        guard let given else { return item }
        return given.hasModel(of: item) || !isDrawnAlike(path) ? nil : item
      })
    draft.marks.reload(
      sections: difference.sectionReloads.ranges.joined().lazy
        .compactMap(old.sectionIdentifier(at:)))
    draft.marks.reconfigure(
      sections: difference.sectionReconfigures.ranges.joined().lazy
        .compactMap(state.sectionIdentifier(at:)).filter { given?.sections[$0] == nil })
  }

  /// What the writers of the delta have placed; in a proposal that does not say it, what it moves.
  private func placed(
    in state: Snapshot<SectionID, ItemID>
  ) -> PlacedRows<SectionID, ItemID> {
    guard delta.placed.isEmpty, delta.frame.proposal != nil else { return delta.placed }
    return state.rows(movedBy: delta.difference)
  }

  /// Edits the state that the plan was made for.
  ///
  /// - Throws: ``SnapshotError`` only if identifiers break the laws of `Hashable`.
  /// - Complexity: O(c · log n) for c changes among n items.
  private func apply(to state: inout Snapshot<SectionID, ItemID>) throws(SnapshotError) {
    guard changesOrder else { return }
    for (index, change) in outlines {
      if case .list = change, let id = sectionIdentifier(atNew: index) {
        try state.removeOutline(ofSection: id)
      }
    }
    try removeItems(from: &state)
    state.deleteSections(
      delta.difference.sectionDeletes.ranges.joined().compactMap(old.sectionIdentifier(at:)))
    try arrangeSections(of: &state)
    for (index, change) in outlines {
      switch change {
      case .list: break
      case .whole(let outline):
        if let id = sectionIdentifier(atNew: index) {
          try state.setOutline(outline, forSection: id)
        }
      case .spliced(let spliced): splice(spliced, at: index, of: &state)
      }
    }
    try fillSections(of: &state)
    try insertItems(into: &state)
    // The plan has made sure that nothing appears twice.
    state.base.forgetPossibleDuplicates()
  }

  private func sectionIdentifier(atNew index: Int) -> SectionID? {
    positions.oldSection(forNew: index).flatMap(old.sectionIdentifier(at:))
  }

  private func removeItems(from state: inout Snapshot<SectionID, ItemID>) throws(SnapshotError) {
    for range in leaving.ranges.reversed() {
      let new = positions.newSection(forOld: range.section)
      // The items of an outline are removed with its rows.
      guard let new, !isOutline(newSection: new) else { continue }
      try state.removeItems(at: range)
    }
  }

  private func arrangeSections(of state: inout Snapshot<SectionID, ItemID>) throws(SnapshotError) {
    // What writers have placed is in the delta.
    let marks = state.marks
    defer { state.marks = marks }
    // In ascending order, each after the section before it, which is in its place already.
    var previous: (index: Int, id: SectionID)?
    for arrival in sectionArrivals {
      var anchor: SectionID?
      if let previous, previous.index == arrival.index - 1 {
        anchor = previous.id
      } else {
        anchor = sectionIdentifier(atNew: arrival.index - 1)
      }
      previous = (arrival.index, arrival.id)
      switch (anchor, arrival.rows) {
      case (let anchor?, nil): try state.moveSection(arrival.id, afterSection: anchor)
      case (let anchor?, _): try state.insertSections([arrival.id], afterSection: anchor)
      case (nil, let rows):
        guard let first = state.sectionIdentifier(at: 0) else {
          state.appendSections([arrival.id])
          continue
        }
        if rows == nil {
          try state.moveSection(arrival.id, beforeSection: first)
        } else {
          try state.insertSections([arrival.id], beforeSection: first)
        }
      }
    }
  }

  private func fillSections(of state: inout Snapshot<SectionID, ItemID>) throws(SnapshotError) {
    for arrival in sectionArrivals {
      switch arrival.rows {
      case .list(let items): try state.appendItems(items, toSection: arrival.id)
      case .outline(let outline): try state.setOutline(outline, forSection: arrival.id)
      case nil: break
      }
    }
  }

  private func insertItems(into state: inout Snapshot<SectionID, ItemID>) throws(SnapshotError) {
    for (section, items) in entering where !isOutline(newSection: section) {
      var start = 0
      while start < items.count {
        let index = items[start].index
        var end = start + 1
        while end < items.count, items[end].index - index == end - start { end += 1 }
        try state.insert(
          items[start..<end].map { $0.item }, at: ItemPath(section: section, item: index))
        start = end
      }
    }
  }

  /// Puts an outline in its section, and edits the visible items as the difference says.
  private func splice(
    _ spliced: Outline<ItemID>.Spliced, at index: Int, of state: inout Snapshot<SectionID, ItemID>
  ) {
    guard let section = positions.oldSection(forNew: index) else { return }
    let kernel = state.kernels.items
    let coming = HashedElements(
      hashing: ContiguousArray(spliced.splices.lazy.flatMap(\.rows).map { $0.id }), kernel)
    let gone = leaving.items(inSection: section).ranges
    state.editOutline(ofSectionAt: index, to: spliced.outline, bringing: coming) { tree in
      for range in gone.reversed() {
        _ = tree.replaceSubrange(range, with: HashedElements(kernel))
      }
      for (place, item) in entering[index] ?? [] {
        let elements = HashedElements(hashing: ContiguousArray([item]), kernel)
        _ = tree.replaceSubrange(place..<place, with: elements)
      }
    }
  }
}

extension Snapshot {
  /// What a difference that leads here moves.
  func rows(movedBy difference: SnapshotDifference) -> PlacedRows<SectionID, ItemID> {
    PlacedRows(
      sections: difference.sectionMoves.compactMap { sectionIdentifier(at: $0.to) },
      items: difference.itemMoves.compactMap { itemIdentifier(for: $0.to) })
  }
}
