/// Where both sides have placed the same.
extension Merger {
  /// The places of an element that both sides have put into the same section.
  struct PlacedTwice {
    let theirs: ItemPath
    let live: ItemPath
  }

  /// Which elements both sides have put into the same gap, in the same order.
  ///
  /// A gap is between two neighbours that neither side has placed. What others have inserted into it does not
  /// count: the writer has not seen it, so an element on either side of that is where the writer wants it.
  ///
  /// - Parameters:
  ///   - twice: What both sides have placed, in the order of the writer's snapshot.
  ///   - theirs: The element at a place of the writer's snapshot, if neither side has placed it.
  ///   - live: The same for the live one.
  /// - Complexity: O(t log t + c) calls for t elements and c other changes.
  static func agreeing<ID: Hashable>(
    _ twice: [PlacedTwice], theirs: (ItemPath) -> ID?, live: (ItemPath) -> ID?
  ) -> [Bool] {
    guard !twice.isEmpty else { return [] }
    let inLiveOrder = twice.indices.sorted { twice[$0].live < twice[$1].live }
    var liveGaps: [ID?] = Array(repeating: nil, count: twice.count)
    let gaps = gaps(before: inLiveOrder.map { twice[$0].live }, live)
    for (index, gap) in zip(inLiveOrder, gaps) { liveGaps[index] = gap }
    var last: (gap: ID?, live: ItemPath)?
    return zip(twice, zip(Self.gaps(before: twice.map(\.theirs), theirs), liveGaps)).map {
      place, gaps in
      guard gaps.0 == gaps.1 else { return false }
      if let last, last.live.section == place.live.section, last.gap == gaps.0,
        last.live > place.live
      {
        return false
      }
      last = (gaps.0, place.live)
      return true
    }
  }

  /// The nearest element before each of some places that stands; `nil` if there is none.
  ///
  /// - Complexity: As many calls as there are elements that do not stand.
  private static func gaps<ID>(
    before places: [ItemPath], _ standing: (ItemPath) -> ID?
  ) -> [ID?] {
    var previous: ItemPath?
    var gap: ID?
    return places.map { path in
      var place = path.item - 1
      let start = previous.flatMap { $0.section == path.section ? $0.item : nil }
      if start == nil { gap = nil }
      while place > start ?? -1 {
        if let found = standing(ItemPath(section: path.section, item: place)) {
          gap = found
          break
        }
        place -= 1
      }
      previous = path
      return gap
    }
  }

  /// Counts what the writer has placed where it was as moved if others have moved or deleted it.
  ///
  /// Two states do not show it, but the writer has said where it belongs: one of several dragged rows, for
  /// example, may already be where they go. A writer that has changed nothing else has changed nothing.
  ///
  /// - Parameters:
  ///   - placed: What the writer's snapshot says.
  ///   - before: What the base says already.
  /// - Complexity: O(p · log n) for p placed of n elements.
  func placeAgain(
    _ placed: PlacedRows<SectionID, ItemID>, since before: PlacedRows<SectionID, ItemID>
  ) {
    guard !writer.isEmpty, !others.isEmpty else { return }
    var paths: [ItemPath] = []
    for item in placed.items.inOrder where !before.items.contains(item) {
      guard draft.itemPath(for: item).map(others.bringsItem) ?? true,
        writer.movedItems[item] == nil, !writer.insertedItems.contains(item),
        let path = theirs.itemPath(for: item)
      else { continue }
      paths.append(path)
      writer.movedItems[item] = theirs.sectionIdentifier(at: path.section)
    }
    writer.placedItems = writer.placedItems.union(ItemPathSet(paths))
    var indices: [Int] = []
    for section in placed.sections.inOrder where !before.sections.contains(section) {
      guard draft.indexOfSection(section).map(others.movesSection) ?? true,
        !writer.insertedSections.contains(section), let index = theirs.indexOfSection(section)
      else { continue }
      indices.append(index)
      writer.movedSections.insert(section)
    }
    writer.placedSections.formUnion(RangeSet(sorting: indices.map { $0..<$0 + 1 }))
  }
}
