extension SnapshotDifference: CustomStringConvertible {
  /// The changes in compact notation; `∅` if there are none.
  ///
  /// `-` is a delete, `+` an insert, `→` a move, `*` a reload and `~` a reconfigure. `⇝` is another
  /// identifier, `▸` another outline. `§2` is a section, `0:3..<5` the items 3 and 4 of section 0.
  /// So `-0:1 +0:3..<5 §2→0` deletes an item, inserts two and moves a section.
  public var description: String {
    func sections(_ sign: String, _ set: RangeSet<Int>) -> [String] {
      set.ranges.map { "\(sign)§\(short($0))" }
    }
    func items(_ sign: String, _ set: ItemPathSet) -> [String] {
      set.ranges.map { "\(sign)\($0.section):\(short($0.items))" }
    }
    var parts = sections("-", sectionDeletes) + sections("+", sectionInserts)
    parts += sectionMoves.map { "§\($0.from)→\($0.to)" }
    parts += items("-", itemDeletes) + items("+", itemInserts)
    parts += itemMoves.map {
      "\($0.from.section):\($0.from.item)→\($0.to.section):\($0.to.item)"
    }
    parts += sections("*", sectionReloads) + items("*", itemReloads)
    parts += sections("~", sectionReconfigures) + items("~", itemReconfigures)
    parts += items("⇝", itemRenames)
    parts += sections("▸", outlineChanges)
    return parts.isEmpty ? "∅" : parts.joined(separator: " ")
  }

  private func short(_ range: Range<Int>) -> String {
    range.lowerBound + 1 == range.upperBound ? "\(range.lowerBound)" : "\(range)"
  }
}
