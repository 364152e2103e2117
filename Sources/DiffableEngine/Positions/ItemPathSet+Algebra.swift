extension ItemPathSet {
  /// The paths that are in this set, in another one, or in both.
  ///
  /// - Complexity: O(r log r) for r ranges of both, O(r) if one set has a single range.
  public func union(_ other: ItemPathSet) -> ItemPathSet {
    guard !isEmpty else { return other }
    guard ranges.count > 1 || other.ranges.count <= 1 else { return other.union(self) }
    guard other.ranges.count <= 1 else { return ItemPathSet(sorting: ranges + other.ranges) }
    var result = self
    for range in other.ranges { result.append(section: range.section, items: range.items) }
    return result
  }

  /// The paths that are in both this set and another one.
  ///
  /// - Complexity: O(r + s) for r and s ranges, however many paths they have.
  public func intersection(_ other: ItemPathSet) -> ItemPathSet {
    other.isEmpty ? other : subtracting(subtracting(other))
  }

  /// The paths that are not in another set.
  ///
  /// - Complexity: O(r + s) for r and s ranges, however many paths they have.
  public func subtracting(_ other: ItemPathSet) -> ItemPathSet {
    guard !isEmpty, !other.isEmpty else { return self }
    var result = ItemPathSet()
    var others = other.ranges[...]
    for range in ranges {
      var start = range.items.lowerBound
      while let taken = others.first,
        (taken.section, taken.items.upperBound) <= (range.section, start)
      {
        others.removeFirst()
      }
      while let taken = others.first, taken.section == range.section,
        taken.items.lowerBound < range.items.upperBound
      {
        if start < taken.items.lowerBound {
          result.append(section: range.section, items: start..<taken.items.lowerBound)
        }
        start = taken.items.upperBound
        // A range that ends later may also cover what comes next.
        guard start < range.items.upperBound else { break }
        others.removeFirst()
      }
      if start < range.items.upperBound {
        result.append(section: range.section, items: start..<range.items.upperBound)
      }
    }
    return result
  }

  /// Whether no path is in both sets.
  ///
  /// - Complexity: O(r + s) for r and s ranges.
  func isDisjoint(with other: ItemPathSet) -> Bool { subtracting(other) == self }
}
