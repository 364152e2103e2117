/// Which row of a list is the first on the screen.
///
/// Invariant: the position is never so far down that there is room below the last row, unless all
/// rows fit.
public struct ScrollPosition: Equatable, Sendable {
  /// The row at the top of the screen, counted from 0.
  public private(set) var firstRow = 0
  private var rowCount = 0
  private var height = 0

  /// Creates the position at the beginning of an empty list.
  public init() {}

  /// The rows on the screen.
  public var visibleRows: Range<Int> {
    firstRow..<min(rowCount, firstRow + height)
  }

  /// Takes note of how many rows there are and how many fit.
  public mutating func fit(rowCount: Int, height: Int) {
    self.rowCount = rowCount
    self.height = max(0, height)
    move(by: 0)
  }

  /// Shows a row at the top, or as near as there are rows below it.
  public mutating func scroll(to row: Int) {
    move(by: row - firstRow)
  }

  /// Follows a key; `false` if it has nothing to do with scrolling.
  public mutating func follow(_ key: Key) -> Bool {
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
