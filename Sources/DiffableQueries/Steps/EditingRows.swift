import Diffable

/// Removing and inserting rows of a live state, with their models as long as leaves keep these.
extension Snapshot {
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
