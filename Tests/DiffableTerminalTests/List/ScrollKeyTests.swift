import DiffableTerminal
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("How far keys scroll a list without focus")
@MainActor
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

  @Test("Every key in every small list")
  func keys() async throws {
    let keys: [Key] = [
      .up, .down, .pageUp, .pageDown, .home, .end, .character("k"), .character("j"),
      .character("b"), .character("f"), .character(" "), .character("g"), .character("G"),
    ]
    var number = 0
    for height in 0...5 {
      let list = TerminalList(size: TerminalSize(columns: 4, rows: height))
      list.allowsFocus = false
      let controller = Cells.controller(of: list)
      var batches = Batches()
      for rowCount in 0...9 {
        await controller.show(try batches.next(Array(0..<rowCount)))
        for start in 0...max(0, rowCount - height) {
          for key in keys {
            number += 1
            guard isInScope(number, usual: 5) else { continue }
            _ = list.press(.home)
            for _ in 0..<start { _ = list.press(.down) }
            let row = list.visibleLines.lowerBound
            #expect(row == start)
            #expect(list.press(key))
            let lines = list.visibleLines
            #expect(
              lines.lowerBound == target(key, row, rowCount, height),
              "\(key) at \(row) of \(rowCount), height \(height)")
            #expect(lines.count == min(rowCount, height))
            #expect(list.lineCount == rowCount)
          }
        }
        #expect(!list.press(.character("x")))
      }
    }
  }
}
