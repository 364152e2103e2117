extension PageLedger {
  /// The rows of all pages, in the order in which they were written.
  ///
  /// - Complexity: O(n) for n rows.
  var order: [Model.ID] {
    numbers.flatMap { number in
      (pages[number]?.items ?? []).filter { rows[$0]?.owner == number }
    }
  }

  /// What the backend said last of a row that is loaded, or was and is kept in mind.
  func base(of item: Model.ID) -> Model? { rows[item]?.base ?? kept[item]?.base }

  /// How many pages at an end can go, counted from outside, so that no more rows are left than a limit
  /// and a page that has come beyond the other end stays.
  ///
  /// - Parameter isNeeded: Whether a page has to stay.
  func dropCount(
    at end: PageEnd, limit: Int, arriving: Int, isNeeded: (Loaded) -> Bool
  ) -> Int {
    var (left, count) = (rowCount + arriving, 0)
    while count < numbers.count, left > limit {
      let number = end == .start ? numbers.lowerBound + count : numbers.upperBound - 1 - count
      guard let page = pages[number], !isNeeded(page) else { break }
      left -= page.rowCount
      count += 1
    }
    return count
  }
}
