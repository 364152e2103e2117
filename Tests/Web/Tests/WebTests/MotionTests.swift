import Diffable
import DiffableTesting
import Foundation
import Testing

@testable import WebLists

/// Rows while they move.
@Suite(
  "Moving rows", .serialized, .enabled(if: ChromeDriver.isInstalled), .timeLimit(.minutes(5)))
struct MotionTests {
  private static let standStill = """
    ((animate) => {
      Element.prototype.animate = function (...movement) {
        const animation = animate.apply(this, movement)
        animation.pause()
        return animation
      }
      return true
    })(Element.prototype.animate)
    """

  /// Sets all movements to a number of milliseconds after they have begun, and looks at each row with another one below:
  /// which ones let that one be seen.
  private static let seenThrough = """
    ((time) => {
      for (const animation of document.getAnimations()) {
        animation.currentTime = time
      }
      const opacity = (row) => Number(getComputedStyle(row).opacity)
      const isOpaque = (row) => opacity(row) === 1 && /^rgb\\(/.test(getComputedStyle(row).backgroundColor)
      const { left, top, bottom } = document.querySelector(".scroller").getBoundingClientRect()
      const faults = []
      for (let y = top + 2; y < bottom - 2; y += 3) {
        // Neighbours share a pixel where one of them is at a fraction of it.
        const isInside = ({ top, bottom }) => top + 1 <= y && y <= bottom - 1
        const rows = document.elementsFromPoint(left + 100, y)
          .filter((part) => part.matches(".row") && isInside(part.getBoundingClientRect()))
          .filter((row) => opacity(row) > 0.02)
        const first = rows.findIndex(isOpaque)
        const seen = first < 0 ? rows : rows.slice(0, first + 1)
        if (seen.length > 1) faults.push(seen.map((row) => row.textContent).join(" through "))
      }
      return faults
    })
    """

  @Test(
    "have a ground of their own, and are above those that come and go",
    arguments: [0, 60, 140, 240])
  func ground(time: Int) async throws {
    let source = RowSource()
    try await source.fill(60)
    try await withPage(of: [.rows(source)], showing: "rows") { browser in
      try await browser.wait(for: source)
      // Movements stand still from the start, however late the test looks.
      let _: Bool = try await browser.value(of: Self.standStill)
      var random = SplitMix64(seed: 3)
      for round in 1...3 {
        try await source.update { draft in
          for _ in 0..<4 {
            let items = Array(draft.snapshot.itemIdentifiers.prefix(14))
            let pair = (items.randomElement(using: &random), items.randomElement(using: &random))
            if let item = pair.0, let other = pair.1, item != other {
              try draft.snapshot.moveItem(item, beforeItem: other)
            }
          }
          let items = Array(draft.snapshot.itemIdentifiers.prefix(14))
          try draft.insertItems([NumberedRow(id: 1_000 + round)], afterItem: items[round])
          draft.snapshot.deleteItems([items[9 - round]])
        }
        try await browser.wait(until: "document.getAnimations().length > 3")
        let faults: [String] = try await browser.value(of: "\(Self.seenThrough)(\(time))")
        #expect(faults == [], "round \(round)")
        let _: Bool = try await browser.value(
          of: "document.getAnimations().every((animation) => (animation.finish(), true))")
      }
    }
  }
}
