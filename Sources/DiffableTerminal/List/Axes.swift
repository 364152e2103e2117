import DiffableLayout

// The layout uses points along two axes; a terminal uses characters.

extension LayoutRect {
  /// The start of the rectangle along an axis.
  func start(_ axis: LayoutAxis) -> Double { axis == .horizontal ? x : y }

  /// The end of the rectangle along an axis.
  func end(_ axis: LayoutAxis) -> Double { axis == .horizontal ? maxX : maxY }

  /// Moves the start of the rectangle along an axis.
  mutating func move(_ axis: LayoutAxis, to start: Double) {
    if axis == .horizontal { x = start } else { y = start }
  }

  /// The characters that the rectangle covers.
  var cells: TextRect {
    let column = Int(cells: x.rounded())
    let row = Int(cells: y.rounded())
    return TextRect(
      column: column, row: row, columns: Int(cells: maxX.rounded()) - column,
      rows: Int(cells: maxY.rounded()) - row)
  }
}

extension LayoutExtent {
  func length(_ axis: LayoutAxis) -> Double { axis == .horizontal ? width : height }
}

extension LayoutPoint {
  func along(_ axis: LayoutAxis) -> Double { axis == .horizontal ? x : y }
}

extension Int {
  /// Converts a length to a number of characters, clamped to the range of `Int`.
  init(cells length: Double) {
    let limit = 0x1p48
    self = length.isNaN ? 0 : Int(Swift.min(Swift.max(length, -limit), limit))
  }
}
