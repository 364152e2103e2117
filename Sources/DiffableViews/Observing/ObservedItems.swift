import Diffable
import Observation

/// The items of a list whose models have been read, each observed separately.
///
/// An item is stored here from its first read until it leaves the list. Code may read any others, too: these are
/// forgotten when many are stored.
@MainActor
final class ObservedItems<ItemID: Hashable & Sendable> {
  /// Represents the model of one item.
  @MainActor @Observable fileprivate final class Mark {
    var changeCount = 0
  }

  private var marks: [ItemID: Mark] = [:]
  /// With more marks than this, those of items that are not in the list are forgotten.
  private var limit = 256

  /// Registers the observer of an item's model.
  func access(_ item: ItemID) {
    let mark = marks[item] ?? Mark()
    marks[item] = mark
    _ = mark.changeCount
  }

  /// Notifies the observers of items that a batch refreshes, inserts or deletes.
  ///
  /// - Complexity: O(c · log n) for c such items of n; in a reset, O(m) for m stored items.
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
    forgetItems(notIn: new)
  }

  /// Forgets items that are not in a list, if many are stored.
  ///
  /// - Complexity: O(log n) for each item that was read, of n in the list, however many batches there are.
  private func forgetItems<SectionID>(notIn list: Snapshot<SectionID, ItemID>) {
    guard marks.count > limit else { return }
    for item in Array(marks.keys) where !list.containsItem(item) { change(item, isThere: false) }
    limit = max(limit, 2 * marks.count)
  }

  private func change(_ item: ItemID, isThere: Bool) {
    marks[item]?.changeCount += 1
    // An observer that is still interested is stored again when it reads the model.
    if !isThere { marks[item] = nil }
  }
}
