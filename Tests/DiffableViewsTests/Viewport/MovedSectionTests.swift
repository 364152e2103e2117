import Diffable
import DiffableTesting
import Testing

@Suite("Rows of sections that move do not hold a list in place")
struct MovedSectionTests {
  @Test("Every order of three sections, wherever the list is", arguments: [false, true])
  func everyOrder(hasHeaders: Bool) throws {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    func list(_ order: [Int]) throws -> Snapshot<Int, Int> {
      var list = Snapshot<Int, Int>()
      for section in order {
        list.appendSections([section])
        try list.appendItems([10 * section, 10 * section + 1, 10 * section + 2])
      }
      return list
    }
    for order in orders {
      for offset in 1..<6 {
        var view = LineView(height: 4, hasHeaders: hasHeaders)
        view.list = try list([0, 1, 2])
        view.settle()
        view.scroll(by: offset)
        let before = view
        try view.show(try list(order))
        let faults = try ViewportLawTests.faults(from: before, to: view, keepsPlace: false)
        #expect(faults == [], "\(order), from \(offset)")
      }
    }
  }
}
