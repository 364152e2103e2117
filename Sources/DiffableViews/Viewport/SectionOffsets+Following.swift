package import Diffable

/// A host with sections that scroll across its view.
@MainActor
package protocol SectionScrollingHost: AnyObject {
  /// Whether a section scrolls across the view.
  func scrollsAcross(section: Int) -> Bool
  /// Chooses what stays in place in these sections during a batch that is about to be shown.
  ///
  /// - Parameter difference: What changes from the state on display to the state after the batch.
  func holdSections(through difference: SnapshotDifference)
}

extension SectionOffsets {
  /// Chooses what stays in place in each scrolled section during a batch.
  ///
  /// A section that scrolls is a list of its own: the first item that stays in it keeps its place, and
  /// if all visible items go, those next to them become visible.
  ///
  /// - Parameters:
  ///   - difference: The whole change; a batch that is cut into stages is one change.
  ///   - content: What the list shows before it.
  package mutating func hold(through difference: SnapshotDifference, in content: any ListContent) {
    let map = PositionMap(difference)
    for section in shelves.keys {
      let count = content.numberOfItems(inSection: section)
      guard let anchor = shelves[section]?.anchor(in: section, of: count, difference, map)
      else { continue }
      shelves[section]?.hold(anchor, at: anchor.path)
      shelves[section]?.identify(in: section, content)
    }
  }

  /// Moves scrolled sections by a stage; what stays in place in each of them keeps its place.
  ///
  /// - Parameters:
  ///   - difference: The change.
  ///   - map: The position map of the change.
  ///   - itemCounts: The number of items in each section before it.
  package mutating func follow(
    _ difference: SnapshotDifference, _ map: PositionMap, itemCounts: [Int]
  ) {
    var moved: [Int: Shelf] = [:]
    for (section, shelf) in shelves {
      guard let target = map.newSection(forOld: section) else { continue }
      var shelf = shelf
      let count = itemCounts.indices.contains(section) ? itemCounts[section] : 0
      // The reader may have scrolled since the batch began.
      let anchor = shelf.anchor(in: section, of: count, difference, map)
      shelf.hold(anchor, at: anchor.path.flatMap(map.newPath(forOld:)))
      moved[target] = shelf
    }
    shelves = moved
  }

  /// Finds scrolled sections and their items again in a list that is shown from scratch.
  package mutating func findAgain(in content: (any ListContent)?) {
    guard !isEmpty else { return }
    let known = Dictionary(
      shelves.values.compactMap { shelf in shelf.section.map { ($0, shelf) } },
      uniquingKeysWith: { first, _ in first })
    shelves = [:]
    for section in 0..<(content?.numberOfSections ?? 0) {
      let identity = content?.identity(ofSectionAt: section)
      guard var shelf = identity.flatMap({ known[$0] }) else { continue }
      let path = shelf.item.flatMap { content?.itemPath(standingFor: $0) }
      shelf.hold(shelf.viewport.anchor, at: path?.section == section ? path : nil)
      shelf.identify(in: section, content)
      shelves[section] = shelf
    }
  }
}

extension SectionOffsets.Shelf {
  /// What stays in place during a change, for the state before it.
  fileprivate func anchor(
    in section: Int, of itemCount: Int, _ difference: SnapshotDifference, _ map: PositionMap
  ) -> ListAnchor {
    guard let target = map.newSection(forOld: section) else { return viewport.anchor }
    let extent = SnapshotDifference.Extent(sections: section + 1) { $0 == section ? itemCount : 0 }
    return viewport.anchor(
      through: difference.part(inSection: section, movedTo: target), of: extent)
  }

  /// Holds an anchor for an item at its new path, if it is still in the section.
  fileprivate mutating func hold(_ anchor: ListAnchor, at path: ItemPath?) {
    viewport.hold(anchor.path == nil ? anchor : path.map(anchor.moved) ?? .offset)
    // Their paths are those of the former state.
    viewport.forgetRows()
  }
}

extension SnapshotDifference {
  /// What changes in a section, as in a list of its own that does not move.
  ///
  /// Items that leave for other sections are deleted, and those that come from there are inserted.
  ///
  /// - Parameters:
  ///   - old: The index of the section before the change; that of the result.
  ///   - new: Its index after the change.
  fileprivate func part(inSection old: Int, movedTo new: Int) -> SnapshotDifference {
    func items(_ items: Range<Int>) -> ItemPathSet.PathRange {
      ItemPathSet.PathRange(section: old, items: items)
    }
    var part = SnapshotDifference()
    var deletes = itemDeletes.ranges.filter { $0.section == old }
    var inserts = itemInserts.ranges.filter { $0.section == new }.map { items($0.items) }
    for move in itemMoves {
      let (from, to) = (move.from.item, move.to.item)
      switch (move.from.section == old, move.to.section == new) {
      case (true, true):
        part.itemMoves.append(Move(from: move.from, to: ItemPath(section: old, item: to)))
      case (true, false): deletes.append(items(from..<from + 1))
      case (false, true): inserts.append(items(to..<to + 1))
      case (false, false): break
      }
    }
    part.itemDeletes = ItemPathSet(sorting: deletes)
    part.itemInserts = ItemPathSet(sorting: inserts)
    return part
  }
}
