import Diffable
import Observation

/// The items of a list whose models somebody has asked for, each observed by itself.
///
/// An item takes room here once it was asked for, until it leaves the list.
@MainActor
final class ObservedItems<ItemID: Hashable & Sendable> {
  /// What stands for the model of one item.
  @MainActor @Observable fileprivate final class Mark {
    var changeCount = 0
  }

  private var marks: [ItemID: Mark] = [:]

  /// Takes note that somebody looks at the model of an item.
  func access(_ item: ItemID) {
    let mark = marks[item] ?? Mark()
    marks[item] = mark
    _ = mark.changeCount
  }

  /// Tells those who look at items that a batch shows anew, inserts or deletes.
  ///
  /// - Complexity: O(c · log n) for c such items of n; O(m) for m that were asked for, in a reset.
  func follow<SectionID>(_ batch: UpdateBatch<SectionID, ItemID>, isContinuous: Bool) {
    guard !marks.isEmpty else { return }
    let new = batch.snapshot
    guard isContinuous, let old = batch.previousSnapshot else {
      for item in Array(marks.keys) { change(item, isThere: new.containsItem(item)) }
      return
    }
    let difference = batch.difference
    for section in difference.sectionDeletes.ranges.joined() {
      for item in old.items(inSectionAt: section) { change(item, isThere: new.containsItem(item)) }
    }
    for path in difference.itemDeletes {
      guard let item = old.itemIdentifier(for: path), marks[item] != nil else { continue }
      change(item, isThere: new.containsItem(item))
    }
    let map = PositionMap(difference)
    for path in map.oldPaths(forNew: difference.itemRenames) {
      guard let item = old.itemIdentifier(for: path) else { continue }
      change(item, isThere: new.containsItem(item))
    }
    let sections =
      Array(difference.sectionInserts.ranges.joined())
      + map.newSections(forOld: difference.sectionReloads).ranges.joined()
    for section in sections {
      for item in new.items(inSectionAt: section) { change(item, isThere: true) }
    }
    let paths =
      Array(difference.itemInserts) + Array(difference.itemReconfigures)
      + Array(map.newPaths(forOld: difference.itemReloads))
    for item in paths.compactMap(new.itemIdentifier(for:)) { change(item, isThere: true) }
  }

  private func change(_ item: ItemID, isThere: Bool) {
    marks[item]?.changeCount += 1
    // Who still looks at it comes to be there again by asking again.
    if !isThere { marks[item] = nil }
  }
}
