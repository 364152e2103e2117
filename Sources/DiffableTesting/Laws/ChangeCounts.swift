import Diffable

/// The numbers of deleted, inserted and moved elements.
struct ChangeCounts: Equatable, CustomStringConvertible {
  var sectionDeletes = 0
  var sectionInserts = 0
  var sectionMoves = 0
  var itemDeletes = 0
  var itemInserts = 0
  var itemMoves = 0

  init(_ difference: SnapshotDifference) {
    sectionDeletes = difference.sectionDeletes.ranges.reduce(0) { $0 + $1.count }
    sectionInserts = difference.sectionInserts.ranges.reduce(0) { $0 + $1.count }
    sectionMoves = difference.sectionMoves.count
    itemDeletes = difference.itemDeletes.count
    itemInserts = difference.itemInserts.count
    itemMoves = difference.itemMoves.count
  }

  /// The minimum numbers of changes, computed from the lists alone.
  ///
  /// The kept elements of a list that need not move are a longest increasing subsequence of their
  /// old positions. An item that changes between surviving sections always moves. Items of deleted
  /// and inserted sections are not counted.
  init<SectionID, ItemID>(
    fewestFrom old: PlainList<SectionID, ItemID>, to new: PlainList<SectionID, ItemID>
  ) {
    let oldIndices = Dictionary(
      old.sections.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let kept = new.sections.compactMap { oldIndices[$0.id] }
    sectionDeletes = old.sections.count - kept.count
    sectionInserts = new.sections.count - kept.count
    sectionMoves = kept.count - longestIncreasingSubsequence(kept)

    let isKept = Set(kept)
    var places: [ItemID: ItemPath] = [:]
    for (section, content) in old.sections.enumerated() where isKept.contains(section) {
      itemDeletes += content.items.count
      for (item, id) in content.items.enumerated() {
        places[id] = ItemPath(section: section, item: item)
      }
    }
    for section in new.sections {
      guard let index = oldIndices[section.id] else { continue }
      let origins = section.items.compactMap { places[$0] }
      let native = origins.filter { $0.section == index }.map(\.item)
      itemInserts += section.items.count - origins.count
      itemDeletes -= origins.count
      itemMoves += origins.count - longestIncreasingSubsequence(native)
    }
  }

  var description: String {
    "\(sectionDeletes)/\(sectionInserts)/\(sectionMoves) sections and "
      + "\(itemDeletes)/\(itemInserts)/\(itemMoves) items deleted/inserted/moved"
  }
}

/// The length of a longest increasing subsequence of different numbers.
///
/// Patience sorting: each number is put on the leftmost pile whose top is greater; the result is
/// the number of piles.
/// Source: Aldous and Diaconis, “Longest increasing subsequences: from patience sorting to the
/// Baik–Deift–Johansson theorem” (1999).
func longestIncreasingSubsequence(_ numbers: [Int]) -> Int {
  var tops: [Int] = []
  for number in numbers {
    let pile = tops.partitioningIndex { $0 >= number }
    if pile == tops.count { tops.append(number) } else { tops[pile] = number }
  }
  return tops.count
}
