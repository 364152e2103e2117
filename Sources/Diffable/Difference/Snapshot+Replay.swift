extension Snapshot {
  /// Replays a difference on this snapshot, the old one.
  ///
  /// A difference has positions only. Four things are read from `target`, at the positions that the
  /// difference names: inserted sections, inserted items, the identifiers of renamed items, and the
  /// outlines of ``SnapshotDifference/outlineChanges``. Nothing else is read, so the result of a
  /// difference without them is the same for every `target`. Reloads and reconfigures change no
  /// identifier. Marks are not carried over.
  ///
  /// - Parameters:
  ///   - difference: The change from this snapshot to `target`.
  ///   - target: The snapshot that inserted sections and items are read from.
  /// - Throws: ``SnapshotError/inapplicableDifference(reason:)`` if an index does not exist, a
  ///   place is used twice, or the counts do not match.
  /// - Complexity: O(s + n + c log c) for s sections, n items and c changes.
  public func applying(
    _ difference: SnapshotDifference, insertsFrom target: Snapshot
  ) throws(SnapshotError) -> Snapshot {
    if let fault = difference.misplacedOldPosition(in: .init(base))
      ?? difference.misplacedInsert(in: .init(target.base))
    {
      throw .inapplicableDifference(reason: fault)
    }
    let result = try replaying(difference, insertsFrom: target)
    if let fault = difference.misplacedNewPosition(in: .init(result.base)) {
      throw .inapplicableDifference(reason: fault)
    }
    return result
  }

  /// Replays a difference whose old positions and insert positions are known to exist.
  private func replaying(
    _ difference: SnapshotDifference, insertsFrom target: Snapshot
  ) throws(SnapshotError) -> Snapshot {
    let deletes = Array(difference.sectionDeletes.ranges.joined())
    let inserts = Array(difference.sectionInserts.ranges.joined())
    let order = try Rearrangement(
      oldCount: numberOfSections, removed: deletes, inserted: inserts,
      moved: difference.sectionMoves)

    var leaving: [Int: [Int]] = [:]
    var entering: [Int: [Int: ItemID]] = [:]
    for path in difference.itemDeletes {
      leaving[path.section, default: []].append(path.item)
    }
    for path in difference.itemInserts {
      entering[path.section, default: [:]][path.item] = target.itemIdentifier(for: path)
    }
    for move in difference.itemMoves {
      guard entering[move.to.section]?[move.to.item] == nil else {
        throw .inapplicableDifference(reason: "two items come to \(move.to)")
      }
      leaving[move.from.section, default: []].append(move.from.item)
      entering[move.to.section, default: [:]][move.to.item] = itemIdentifier(for: move.from)
    }

    var names: [Int: [(place: Int, item: ItemID)]] = [:]
    for path in difference.itemRenames {
      guard let item = target.itemIdentifier(for: path) else {
        throw .inapplicableDifference(reason: "there is no item to rename at \(path)")
      }
      names[path.section, default: []].append((path.item, item))
    }

    let (olds, news) = (Array(records), Array(target.records))
    var result: [(id: SectionID, rows: Rows)] = []
    for (new, origin) in order.origins.enumerated() {
      guard let old = origin else {
        result.append((news[new].id, news[new].rows))
        continue
      }
      var section = (id: olds[old].id, items: olds[old].items.array)
      let arrivals = entering.removeValue(forKey: new) ?? [:]
      let departures = leaving.removeValue(forKey: old) ?? []
      if !arrivals.isEmpty || !departures.isEmpty {
        let items = try Rearrangement(
          oldCount: section.items.count, removed: departures, inserted: Array(arrivals.keys),
          moved: [])
        let before = section.items
        section.items = items.origins.enumerated().compactMap { place, origin in
          origin.map { before[$0] } ?? arrivals[place]
        }
      }
      for (place, item) in names.removeValue(forKey: new) ?? [] {
        guard section.items.indices.contains(place) else {
          throw .inapplicableDifference(reason: "item \(place) of section \(new) does not exist")
        }
        section.items[place] = item
      }
      result.append(
        (section.id, try rows(of: olds[old], at: new, section.items, difference, news)))
    }
    guard entering.isEmpty, leaving.isEmpty, names.isEmpty else {
      throw .inapplicableDifference(
        reason: "items change in a section that is deleted or inserted, or does not exist")
    }
    return Snapshot(kernels, sections: result)
  }

  /// The rows of a staying section after a replay; a changed outline is read from the target.
  private func rows(
    of old: Record, at new: Int, _ items: [ItemID], _ difference: SnapshotDifference,
    _ targets: [Record]
  ) throws(SnapshotError) -> Rows {
    var outline = old.outline?.value
    if difference.outlineChanges.contains(new) {
      guard targets.indices.contains(new), targets[new].id == old.id else {
        throw .inapplicableDifference(reason: "section \(new) has no outline to read")
      }
      outline = targets[new].outline?.value
    }
    guard let outline else { return .list(items) }
    guard outline.visibleItems == items else {
      throw .inapplicableDifference(
        reason: "the items of section \(new) are not those that its outline shows")
    }
    return .outline(outline)
  }
}

/// The origin of each element of a rearranged list.
private struct Rearrangement {
  /// By new index: the old index, or `nil` for an inserted element.
  let origins: [Int?]

  init(
    oldCount: Int, removed: [Int], inserted: [Int], moved: [Move<Int>]
  ) throws(SnapshotError) {
    let newCount = oldCount - removed.count + inserted.count
    var stays = Array(repeating: true, count: oldCount)
    for index in removed + moved.map(\.from) {
      guard stays.indices.contains(index), stays[index] else {
        throw .inapplicableDifference(reason: "old index \(index) does not exist, or is used twice")
      }
      stays[index] = false
    }
    var sources: [Int: Int?] = [:]
    for (index, source) in inserted.map({ ($0, nil) }) + moved.map({ ($0.to, $0.from as Int?) }) {
      guard (0..<newCount).contains(index), sources.updateValue(source, forKey: index) == nil else {
        throw .inapplicableDifference(reason: "new index \(index) does not exist, or is used twice")
      }
    }
    var rest = stays.indices.lazy.filter { stays[$0] }.makeIterator()
    origins = (0..<newCount).map { sources[$0] ?? rest.next() }
  }
}
