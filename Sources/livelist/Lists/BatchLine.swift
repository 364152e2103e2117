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
    let sectionInserts = difference.sectionInserts.ranges.reduce(0) { $0 + $1.count }
    let sectionDeletes = difference.sectionDeletes.ranges.reduce(0) { $0 + $1.count }
    let changes = [
      (sectionInserts, "sections inserted"),
      (sectionDeletes, "sections deleted"),
      (difference.sectionMoves.count, "sections moved"),
      (difference.itemInserts.count, "inserted"),
      (difference.itemDeletes.count, "deleted"),
      (difference.itemMoves.count, "moved"),
      (difference.itemReconfigures.count, "updated"),
    ]
    guard !difference.isEmpty else { return "\(base) → \(batch.target): nothing changed; \(size)" }
    let words = changes.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(base) → \(batch.target): \(words.joined(separator: ", ")); \(size)"
  }
}
