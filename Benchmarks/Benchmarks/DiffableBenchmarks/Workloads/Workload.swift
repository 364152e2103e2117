import Diffable
import DiffableTesting
import Foundation

/// A list before and after a change.
struct Workload<ID: SeededIdentifier>: Sendable {
  let old: [ID]
  let new: [ID]

  /// The recipe that the field publishes its figures with, as DifferenceKit's benchmark has it.
  ///
  /// A range is deleted, then a range of new items inserted, then a range shuffled.
  static func recipe(
    count: Int, deleting: Range<Int>, inserting: Range<Int>, shuffling: Range<Int>
  ) -> Workload {
    var random = SplitMix64(seed: 1)
    let old = [ID].seeded(count, seed: 2)
    var new = old
    new.removeSubrange(deleting)
    new.insert(contentsOf: [ID].seeded(inserting.count, seed: 3), at: inserting.lowerBound)
    new.replaceSubrange(shuffling, with: random.shuffled(Array(new[shuffling])))
    return Workload(old: old, new: new)
  }

  /// Changes all over the list, where the recipe has them in three places.
  ///
  /// Items are deleted and inserted at random places, and pairs of items change places.
  static func scattered(count: Int, deleted: Int, inserted: Int, moved: Int) -> Workload {
    var random = SplitMix64(seed: 1)
    let old = [ID].seeded(count, seed: 2)
    let gone = Set(random.shuffled(Array(old.indices)).prefix(deleted))
    var new = old.indices.filter { !gone.contains($0) }.map { old[$0] }
    for _ in 0..<moved / 2 {
      new.swapAt(random.number(below: new.count), random.number(below: new.count))
    }
    // All new places at once: inserting one by one is quadratic.
    let places = (0..<inserted).map { _ in random.number(below: new.count + 1) }.sorted()
    let arrivals = [ID].seeded(inserted, seed: 3)
    var merged: [ID] = []
    merged.reserveCapacity(new.count + inserted)
    var next = 0
    for (place, arrival) in zip(places, arrivals) {
      merged += new[next..<place]
      merged.append(arrival)
      next = place
    }
    merged += new[next...]
    return Workload(old: old, new: merged)
  }

  /// One item more, in the middle.
  static func insertOne(count: Int) -> Workload {
    let old = [ID].seeded(count, seed: 4)
    var new = old.remapped()
    new.insert(contentsOf: [ID].seeded(1, seed: 5), at: count / 2)
    return Workload(old: old, new: new)
  }

  /// The same items in an order that has nothing to do with the old one.
  static func shuffled(count: Int) -> Workload {
    var random = SplitMix64(seed: 6)
    let old = [ID].seeded(count, seed: 7)
    return Workload(old: old, new: random.shuffled(old))
  }

  /// The same items, last one first.
  static func reversed(count: Int) -> Workload {
    let old = [ID].seeded(count, seed: 8)
    return Workload(old: old, new: old.reversed())
  }

  /// As many other items.
  static func disjoint(count: Int) -> Workload {
    Workload(old: .seeded(count, seed: 9), new: .seeded(count, seed: 10))
  }
}

extension Snapshot where SectionID == Int {
  /// A snapshot with one section.
  init(items: [ItemID]) throws {
    self.init()
    appendSections([0])
    try appendItems(items, toSection: 0)
  }
}
