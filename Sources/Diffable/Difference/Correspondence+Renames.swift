extension Correspondence {
  /// Matches items that received another identifier: they stay or move like all others.
  ///
  /// A rename counts if the old identifier is deleted and the new one inserted, both in sections
  /// that stay. Otherwise the identifiers alone decide.
  ///
  /// - Complexity: O(c · log n) for c deleted or inserted items among n, if anything was renamed.
  mutating func match<SectionID, ItemID>(
    _ renames: ItemRenames<ItemID>, from old: Snapshot<SectionID, ItemID>,
    to new: Snapshot<SectionID, ItemID>
  ) {
    guard !renames.isEmpty else { return }
    // By new name: the old place of the item.
    var origins = IdentifierMap<ItemID, (section: Int, place: Int)>()
    for (number, section) in changed.enumerated() {
      for place in section.deletes.joined() {
        let path = ItemPath(section: section.old, item: place)
        guard let name = old.itemIdentifier(for: path).flatMap(renames.newName(of:)) else {
          continue
        }
        origins[name] = (number, place)
      }
    }
    guard !origins.isEmpty else { return }
    var departures: [Int: Set<Int>] = [:]
    var arrivals: [Int: Set<Int>] = [:]
    for number in changed.indices {
      for place in changed[number].inserts.joined() {
        let path = ItemPath(section: changed[number].new, item: place)
        guard let name = new.itemIdentifier(for: path), let origin = origins[name] else { continue }
        origins[name] = nil
        departures[origin.section, default: []].insert(origin.place)
        arrivals[number, default: []].insert(place)
        self.renames.append(path)
        if origin.section == number {
          changed[number].runs.append(MatchedRun(old: origin.place, new: place, count: 1))
          changed[number].stays = nil
        } else {
          migrations.append(
            Move(
              from: ItemPath(section: changed[origin.section].old, item: origin.place), to: path))
        }
      }
    }
    for (number, places) in departures { changed[number].deletes.removeIndices(places) }
    for (number, places) in arrivals {
      changed[number].inserts.removeIndices(places)
      changed[number].sort()
    }
  }
}

extension [Range<Int>] {
  /// Removes indices from ascending ranges.
  ///
  /// - Complexity: O(n) for n indices in the ranges.
  fileprivate mutating func removeIndices(_ gone: Set<Int>) {
    var rest: [Range<Int>] = []
    for index in joined() where !gone.contains(index) { rest.appendIndex(index) }
    self = rest
  }
}
