/// The first visible row of a list, with the numbers of rows.
///
/// Invariant: the position is never so far down that there is empty space below the last row,
/// unless all rows fit.
public struct ScrollPosition: Equatable, Sendable {
  /// The row at the top of the screen, counted from 0.
  public private(set) var firstRow = 0
  /// The number of rows.
  public private(set) var rowCount = 0
  /// The number of rows that fit.
  public private(set) var height = 0

  /// Creates the position at the beginning of an empty list.
  public init() {}

  /// The visible rows.
  public var visibleRows: Range<Int> {
    firstRow..<min(rowCount, firstRow + height)
  }

  /// Updates the number of rows and the number of rows that fit.
  public mutating func fit(rowCount: Int, height: Int) {
    self.rowCount = max(0, rowCount)
    self.height = max(0, height)
    move(by: 0)
  }

  /// Shows a row at the top, or as near to it as the rows below it allow.
  public mutating func scroll(to row: Int) {
    firstRow = max(0, min(row, rowCount - height))
  }

  /// Scrolls the minimum distance to show some rows; their first ones if not all fit.
  public mutating func reveal(_ rows: Range<Int>) {
    if rows.upperBound > firstRow + height { scroll(to: rows.upperBound - height) }
    if rows.lowerBound < firstRow { scroll(to: rows.lowerBound) }
  }

  /// Handles a key; returns `false` if it is not for scrolling.
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
    scroll(to: firstRow + rows)
  }
}
