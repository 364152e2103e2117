import Diffable
import DiffableViews
import Testing

@Suite("A view that scrolls by itself goes back to its place, unless its user has left it")
struct ObservedPlaceTests {
  private static let contentLength = 12

  /// What a view of rows of length 1 shows.
  private func rows(_ offset: Int, _ length: Int) -> [VisibleRow] {
    (offset..<min(Self.contentLength, offset + length)).map {
      VisibleRow(path: ItemPath(section: 0, item: $0), span: Double($0)..<Double($0 + 1))
    }
  }

  private func settle(_ viewport: inout Viewport) -> Int {
    viewport.settle(contentLength: Double(Self.contentLength)) {
      Double($0.item)..<Double($0.item + 1)
    }
    return Int(viewport.offset)
  }

  @Test(arguments: [true, false])
  func `After a view was longer, it shows what it showed before or what its user chose`(
    restsBetween: Bool
  ) {
    let length = 3
    for start in 0...Self.contentLength - length {
      for longer in length + 1...Self.contentLength {
        for chosen in 0...Self.contentLength - longer {
          var viewport = Viewport(length: Double(length))
          var settled = settle(&viewport)
          viewport.rest(rows: rows(settled, length))
          viewport.scroll(to: Double(start))
          settled = settle(&viewport)
          viewport.rest(rows: rows(settled, length))
          viewport.resize(to: Double(longer))
          settled = settle(&viewport)
          if restsBetween { viewport.rest(rows: rows(settled, longer)) }
          viewport.observe(
            offset: Double(chosen), length: Double(longer),
            contentLength: Double(Self.contentLength), rows: rows(chosen, longer))
          viewport.resize(to: Double(length))
          let place = settle(&viewport)
          #expect(
            place == (chosen == settled ? start : chosen),
            "from \(start), with \(longer) rows at \(chosen)")
        }
      }
    }
  }
}
