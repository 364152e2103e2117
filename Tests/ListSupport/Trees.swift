package import Diffable

extension Outline {
  /// An outline of rows at these levels, of which some are expanded.
  package init(_ rows: [ItemID], levels: [Int], expanding expanded: [ItemID] = []) throws {
    self.init()
    var path: [ItemID] = []
    for (row, level) in zip(rows, levels) {
      path.removeLast(path.count - level)
      try append([row], to: path.last)
      path.append(row)
    }
    expand(expanded)
  }
}

extension Snapshot {
  /// One section, which is an outline.
  package init(_ outline: Outline<ItemID>, in section: SectionID) throws {
    self.init()
    appendSections([section])
    try setOutline(outline, forSection: section)
  }
}

/// Every way in which so many rows can be indented: the level of each.
package func everyForest(of count: Int) -> [[Int]] {
  (0..<count).reduce([[]]) { forests, _ in
    forests.flatMap { forest in (0...(forest.last ?? -1) + 1).map { forest + [$0] } }
  }
}
