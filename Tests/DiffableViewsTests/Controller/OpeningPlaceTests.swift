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
}
