import Diffable

/// Placing sections of a live state, and removing and inserting rows, with their models as long as
/// leaves keep these.
extension Snapshot {
  /// Places sections among the others, which are in order.
  ///
  /// - Parameters:
  ///   - isInserting: Whether sections that are not there are inserted.
  ///   - isBefore: Whether the first section belongs before the second.
  /// - Complexity: O(m · log² s) for m of s sections.
  mutating func place(
    _ sections: [SectionID], inserting isInserting: Bool = true,
    before isBefore: (SectionID, SectionID) -> Bool
  ) {
    // Those that move are at the end, until they have their places.
    var parked = 0
    for section in sections {
      guard let index = indexOfSection(section) else { continue }
      moveSection(at: index, to: numberOfSections - 1)
      parked += 1
    }
    for section in sections {
      let index = indexOfSection(section)
      guard isInserting || index != nil else { continue }
      let place = (0..<numberOfSections - parked).partitioningIndex {
        !isBefore(self.section(at: $0), section)
      }
      if let index {
        moveSection(at: index, to: place)
        parked -= 1
      } else {
        insertSections([section], at: place)
      }
    }
  }

  /// Removes rows of a section.
  ///
  /// - Parameters:
  ///   - positions: Their indices in the section, in ascending order.
  ///   - hasModels: Whether each item has its model; set to `false` if a leaf loses its models.
  mutating func remove(
    _ positions: [Int], ofSectionAt section: Int, keepingModels hasModels: inout Bool
  ) {
    var rest = positions
    while hasModels, let last = rest.last {
      hasModels = removeKeepingModels(at: ItemPath(section: section, item: last))
      if hasModels { rest.removeLast() }
    }
    guard !rest.isEmpty else { return }
    removeItems(at: rest, inSectionAt: section)
  }

  /// Inserts adjacent rows, with their models if that is possible.
  ///
  /// - Parameters:
  ///   - models: A model for each item, unless some have none.
  ///   - hasModels: Whether each item has its model; set to `false` if inserted rows have none.
  mutating func insert(
    _ items: HashedElements, _ models: HashedElements?, at path: ItemPath,
    keepingModels hasModels: inout Bool
  ) {
    if hasModels, let models {
      let isInserted = withExtendedLifetime((items, models)) {
        insert(items.span, ModelSpan(kernel: models.kernel, first: models.span.first), at: path)
      }
      if isInserted { return }
    }
    hasModels = false
    insert(items, at: path)
  }
}

extension [Int] {
  /// The ranges of adjacent numbers, in ascending order.
  var runs: RangeSet<Int>.Ranges { RangeSet(sorting: map { $0..<$0 + 1 }).ranges }
}
