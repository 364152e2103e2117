import Diffable
import DiffableTesting

extension SplitMix64 {
  /// An outline of some rows: each is a root or below one of those before it, and some are expanded.
  mutating func outline<ItemID>(of rows: [ItemID]) throws -> Outline<ItemID> {
    var outline = Outline<ItemID>()
    for (index, row) in rows.enumerated() {
      let parent = element(of: Array(rows[..<index]))
      try outline.append([row], to: parent != nil && chance(oneIn: 2) ? parent : nil)
    }
    outline.expand(sample(rows, oneIn: 2))
    return outline
  }
}
