import Diffable

/// A batch in one line of text, for output that is not a terminal.
enum BatchLine {
  static func text<SectionID, ItemID>(
    for batch: UpdateBatch<SectionID, ItemID>, _ nouns: (one: String, many: String)
  ) -> String {
    let snapshot = batch.snapshot
    let size =
      Figure.count(snapshot.numberOfItems, nouns.one, nouns.many) + " in "
      + Figure.count(snapshot.numberOfSections, "section", "sections")
    guard let base = batch.base else { return "\(batch.target): \(size)" }
    let difference = batch.difference
    func count(_ sections: RangeSet<Int>) -> Int { sections.ranges.reduce(0) { $0 + $1.count } }
    let sectionUpdates =
      count(difference.sectionReloads) + count(difference.sectionReconfigures)
    let changes = [
      (count(difference.sectionInserts), "sections inserted"),
      (count(difference.sectionDeletes), "sections deleted"),
      (difference.sectionMoves.count, "sections moved"),
      (sectionUpdates, "sections updated"),
      (difference.itemInserts.count, "inserted"),
      (difference.itemDeletes.count, "deleted"),
      (difference.itemMoves.count, "moved"),
      (difference.itemReloads.count + difference.itemReconfigures.count, "updated"),
    ]
    guard !difference.isEmpty else { return "\(base) → \(batch.target): nothing changed; \(size)" }
    var words = changes.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    if words.isEmpty { words = ["only outlines changed"] }
    return "\(base) → \(batch.target): \(words.joined(separator: ", ")); \(size)"
  }
}
