extension Snapshot {
  /// This snapshot with its table.
  ///
  /// - Complexity: O(1), or O(n) the first time.
  package var resolved: Snapshot {
    guard base.itemTable == nil, let resolution = base.resolution else { return self }
    return Snapshot(resolution.resolve { withItemTable().base }, marks: marks)
  }

  /// Makes the table part of this value, so that edits keep it up to date.
  package mutating func resolve() {
    if base.itemTable == nil { self = resolved }
  }

  /// A snapshot without the table: small enough to keep in a history.
  package var detached: Snapshot { Snapshot(base.detached(asking: nil), marks: marks) }

  /// Computes missing hashes and files every item in a table.
  ///
  /// - Parameter newcomers: Items that include both of any two equal items; `nil` if not known.
  func withItemTable(
    newcomers: @autoclosure () -> HashedElements? = nil
  ) -> Snapshot {
    var result = self
    result.base.makeTable(newcomers: newcomers())
    guard result.itemTable?.suspects.isEmpty == false else { return result }
    // Of a million items, about a hundred share a hash with another one by chance. They need not be
    // compared again when the snapshot is validated later.
    if !result.hasDuplicateItems(whereSuspectsAreComplete: newcomers() != nil) {
      result.itemTable?.acquit()
    }
    return result
  }
}
