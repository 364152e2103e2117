/// Which row of a list is the first on the screen.
///
/// Invariant: the position is never so far down that there is room below the last row, unless all
/// rows fit.
struct ScrollPosition: Equatable, Sendable {
  private(set) var firstRow = 0
  private var rowCount = 0
  private var height = 0

  /// The rows on the screen.
  var visibleRows: Range<Int> {
    firstRow..<min(rowCount, firstRow + height)
  }

  /// Takes note of how many rows there are and how many fit.
  mutating func fit(rowCount: Int, height: Int) {
    self.rowCount = rowCount
    self.height = max(0, height)
    move(by: 0)
  }

  /// Follows a key; `false` if it has nothing to do with scrolling.
  mutating func follow(_ key: Key) -> Bool {
    switch key {
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp, .character("b"): move(by: -max(1, height - 1))
    case .pageDown, .character(" "), .character("f"): move(by: max(1, height - 1))
    case .home, .character("g"): move(by: -firstRow)
    case .end, .character("G"): move(by: rowCount)
    default: return false
    }
    return true
  }

  private mutating func move(by rows: Int) {
    firstRow = max(0, min(firstRow + rows, rowCount - height))
  }
}
