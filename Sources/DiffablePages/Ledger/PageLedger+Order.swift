extension PageLedger {
  /// The rows of all pages, in the order in which they were written.
  ///
  /// - Complexity: O(n) for n rows.
  var order: [Model.ID] {
    numbers.flatMap { number in
      (pages[number]?.items ?? []).filter { rows[$0]?.owner == number }
    }
  }
}
