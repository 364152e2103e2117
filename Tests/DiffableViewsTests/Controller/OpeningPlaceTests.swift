import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("A list opens where the program wants it", .deadline)
@MainActor
struct OpeningPlaceTests {
  @Test("Once, and later batches leave the reader where that one has scrolled to")
  func once() async throws {
    let host = Host(profile: .collectionView, visibleRowCount: 4)
    let controller = Rows().controller(of: host)
    controller.scroll(to: 5, at: .top)
    var batches = Batches()
    await controller.show(try batches.next(list(Array(0..<20))))
    #expect(host.firstVisibleRow == 5)
    host.scroll(toRow: 10)
    await controller.show(try batches.next(list(Array(0..<21))))
    #expect(host.firstVisibleRow == 10)
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("Also if there are only sections at first, until there are items")
  func sectionsFirst() async throws {
    for before in [[], [[]], [[], []]] as [[[Int]]] {
      for (item, expected) in [(5, 5), (77, 0)] {
        let host = Host(profile: .collectionView, visibleRowCount: 4)
        let controller = Rows().controller(of: host)
        #expect(!controller.scroll(to: item, at: .top))
        var batches = Batches()
        await controller.show(try batches.next(list(of: before)))
        await controller.show(try batches.next(list(Array(0..<20))))
        #expect(host.firstVisibleRow == expected, "\(item) after \(before)")
        // An item that comes too late is not shown.
        await controller.show(try batches.next(list(Array(0..<80))))
        #expect(host.firstVisibleRow == expected, "\(item) after \(before)")
      }
    }
  }
}
