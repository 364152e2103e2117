import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("A list that sticks to its end shows what comes there", .deadline)
@MainActor
struct StickingTests {
  @Test("unless the user has scrolled away", arguments: everyProfile)
  func sticking(profile: ListProfile) async throws {
    let host = Host(profile: profile, visibleRowCount: 3)
    let controller = Rows().controller(of: host)
    controller.sticksToEnd = true
    let source = DataSourceActor<Int, Int>()
    controller.start(following: source)
    func show(_ edit: @Sendable @escaping (inout Snapshot<Int, Int>) throws -> Void) async throws {
      await controller.displayed(try await source.update { try edit(&$0) }.revision)
    }
    try await show { snapshot in
      snapshot.appendSections([0, 1])
      try snapshot.appendItems([1, 2], toSection: 0)
    }
    #expect(host.texts == ["1", "2"])
    try await show { try $0.appendItems([3, 4, 5], toSection: 0) }
    #expect(host.texts == ["3", "4", "5"])
    try await show { snapshot in
      try snapshot.insertItems([6], beforeItem: 1)
      try snapshot.appendItems([7, 8], toSection: 1)
      snapshot.deleteItems([4])
    }
    #expect(host.texts == ["5", "7", "8"])
    try await show { $0.deleteItems([8]) }
    #expect(host.texts == ["3", "5", "7"])

    host.scroll(toRow: 1)
    #expect(host.texts == ["1", "2", "3"])
    try await show { try $0.appendItems([9], toSection: 1) }
    try await show { try $0.insertItems([10, 11], beforeItem: 6) }
    #expect(host.texts == ["1", "2", "3"], "who reads further up is left alone")
    host.scroll(toRow: .max)
    try await show { try $0.appendItems([12], toSection: 1) }
    #expect(host.texts == ["7", "9", "12"])
    let last = try await source.update(presentation: .reset) { try $0.appendItems([13]) }.revision
    await controller.displayed(last)
    #expect(host.texts == ["9", "12", "13"])

    controller.sticksToEnd = false
    try await show { try $0.appendItems([14], toSection: 1) }
    #expect(host.texts == ["9", "12", "13"])
    #expect(host.violations.isEmpty)
  }

  @Test("unless it was to open at a row, and that came", arguments: everyProfile, [2, 99])
  func opening(profile: ListProfile, row: Int) async throws {
    let host = Host(profile: profile, visibleRowCount: 3)
    let controller = Rows().controller(of: host)
    controller.sticksToEnd = true
    controller.scroll(to: row, at: .top)
    var batches = Batches()
    await controller.show(try batches.next(list(Array(1...9))))
    #expect(host.texts == (row == 2 ? ["2", "3", "4"] : ["7", "8", "9"]))
    await controller.show(try batches.next(list(Array(1...10))))
    #expect(host.texts == (row == 2 ? ["2", "3", "4"] : ["8", "9", "10"]))
  }
}
