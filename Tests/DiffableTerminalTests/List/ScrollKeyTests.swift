import DiffableTerminal
import Testing

@Suite("How far keys scroll")
struct ScrollKeyTests {
  /// The row that a key leads to.
  private func target(_ key: Key, _ row: Int, _ rowCount: Int, _ height: Int) -> Int {
    let page = max(1, height - 1)
    let wanted =
      switch key {
      case .up, .character("k"): row - 1
      case .down, .character("j"): row + 1
      case .pageUp, .character("b"): row - page
      case .pageDown, .character("f"), .character(" "): row + page
      case .home, .character("g"): 0
      default: rowCount
      }
    return max(0, min(wanted, rowCount - height))
  }

  @Test("Every key in every small window")
  func keys() {
    let keys: [Key] = [
      .up, .down, .pageUp, .pageDown, .home, .end, .character("k"), .character("j"),
      .character("b"), .character("f"), .character(" "), .character("g"), .character("G"),
    ]
    for rowCount in 0...9 {
      for height in 0...5 {
        for start in 0...rowCount {
          for key in keys {
            var position = ScrollPosition()
            position.fit(rowCount: rowCount, height: height)
            position.scroll(to: start)
            let row = position.firstRow
            #expect(row == max(0, min(start, rowCount - height)))
            let isFollowed = position.follow(key)
            #expect(isFollowed)
            #expect(
              position.firstRow == target(key, row, rowCount, height),
              "\(key) at \(row) of \(rowCount), height \(height)")
            #expect(position.visibleRows.upperBound <= rowCount)
          }
        }
      }
    }
  }

  @Test("What is revealed is in the window, and nothing moves without need")
  func reveal() {
    for start in 0..<10 {
      for rows in [0..<1, 3..<4, 4..<7, 9..<10, 2..<9] {
        var position = ScrollPosition()
        position.fit(rowCount: 10, height: 4)
        position.scroll(to: start)
        let before = position.visibleRows
        position.reveal(rows)
        let window = position.visibleRows
        #expect(window.contains(rows.lowerBound))
        #expect(rows.count > 4 || rows.clamped(to: window) == rows)
        if rows.clamped(to: before) == rows { #expect(window == before) }
      }
    }
  }
}
