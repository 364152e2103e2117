import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("A list is shown from scratch where rules S8 to S12 say so", .deadline)
@MainActor
struct ResetTests {
  /// A list of ten rows on a screen of three.
  private func fixture(
    _ profile: ListProfile = .collectionView
  ) async throws -> (Host, Controller, Batches) {
    try await shownList(Array(0..<10), profile: profile, rows: 3)
  }

  @Test("S8: a view without a window, and one that was never laid out")
  func window() async throws {
    for state in [\Host.isInWindow, \Host.isLaidOut] {
      var (host, controller, batches) = try await fixture()
      let resets = host.resetCount
      host[keyPath: state] = false
      await controller.show(try batches.next(list([1, 2])))
      #expect((host.stageCount, host.resetCount) == (0, resets + 1))
      host[keyPath: state] = true
      await controller.show(try batches.next(list([1, 2, 3])))
      #expect((host.stageCount, host.resetCount) == (1, resets + 1))
      #expect(host.texts == ["1", "2", "3"])
      #expect(host.violations.isEmpty, "\(host.violations)")
    }
  }

  @Test("S8: a view that leaves its window between two stages")
  func leavingWindow() async throws {
    var (host, controller, batches) = try await fixture()
    await controller.show(try batches.next(list([1, 2], [3])))
    controller.select([2, 3])
    var new = batches.snapshot
    try new.moveSection(1, beforeSection: 0)
    new.deleteItems([1])
    let batch = try batches.next(new)
    let stages = host.stageCount
    host.holdsStages = true
    let showing = Task { await controller.show(batch) }
    await host.stageBegun()
    host.isInWindow = false
    host.endStage()
    await showing.value
    #expect(host.stageCount == stages + 1)
    #expect(host.texts == ["3", "2"])
    #expect(controller.selectedItems == [2, 3])
    #expect(
      host.selectedItemPaths == [ItemPath(section: 0, item: 0), ItemPath(section: 1, item: 0)])
    #expect(controller.snapshot == new)
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("S9 and a stage that is not begun: a host that is wrong is set right")
  func wrongHosts() async throws {
    let host = ForgetfulHost()
    let rows = Rows()
    let controller = ListController<Int, Int, ForgetfulHost>(host: host) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: rows.plain, for: path, item: item)
    }
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    var batches = Batches()
    await controller.show(try batches.next(list([1])))
    #expect(host.calls == ["reset", "reset"])
    host.fault = .miscounts
    await controller.show(try batches.next(list([1, 2])))
    #expect(host.calls.dropFirst(2) == ["reset"])
    #expect(errors.isEmpty)
    host.fault = .doesNotBegin
    await controller.show(try batches.next(list([1, 2, 3])))
    #expect(host.calls.dropFirst(3) == ["perform", "reset"])
    #expect(errors == [.stageNotBegun])
    // A host that forgets the stage keeps nobody waiting.
    host.fault = .forgetsStages
    await controller.show(try batches.next(list([1])))
    #expect(host.calls.dropFirst(5) == ["perform"])
    #expect(controller.snapshot == batches.snapshot)
    // What it says after the end has no effect.
    host.fault = .beginsTwice
    await controller.show(try batches.next(list([4])))
    #expect(host.calls.dropFirst(6) == ["perform"])
    #expect(controller.snapshot.itemIdentifiers == [4])
  }

  @Test(
    "S9: a batch that names the state on display as its base, and starts at another one",
    arguments: everyProfile)
  func wrongBase(profile: ListProfile) async throws {
    for (old, new) in [
      ([[4], [5]], [[4], [6, 5]]), ([[4]], [[4, 5]]), ([[3, 2, 1, 0]], [[3, 2]]),
      ([], [[1], [2, 3]]), ([[1, 2, 3], []], [[1, 2]]),
    ] as [([[Int]], [[Int]])] {
      let host = Host(profile: profile)
      let controller = Rows().controller(of: host)
      await controller.show(try UpdateBatch(showing: list([1, 2, 3])))
      controller.select([2])
      // Both are about the first revision.
      await controller.show(try UpdateBatch(from: list(of: old), to: list(of: new)))
      #expect(host.texts == new.joined().map { "\($0)" }, "\(old) to \(new)")
      #expect(host.stageCount == 0)
      #expect(controller.selectedItems == (new.joined().contains(2) ? [2] : []))
      #expect(host.violations.isEmpty, "\(host.violations)")
    }
    // The one that starts there is a stage.
    var (host, controller, batches) = try await shownList([1, 2, 3], profile: profile)
    await controller.show(try batches.next(list([1, 3])))
    #expect(host.stageCount == 1 && host.violations.isEmpty)
  }

  @Test("S12: more changes than the profile allows, and a presentation that asks for it")
  func limits() async throws {
    var (host, controller, batches) = try await fixture(.collectionView.resetting(past: 2))
    let resets = host.resetCount
    await controller.show(try batches.next(list(Array(1..<10))))
    #expect((host.stageCount, host.resetCount) == (1, resets))
    await controller.show(try batches.next(list([20, 21, 22])))
    #expect((host.stageCount, host.resetCount) == (1, resets + 1))
    await controller.show(try batches.next(list([20]), presentation: .reset))
    #expect((host.stageCount, host.resetCount) == (1, resets + 2))
    // A batch that starts elsewhere.
    _ = try batches.next(list([30]))
    await controller.show(try batches.next(list([30, 31])))
    #expect((host.stageCount, host.resetCount) == (1, resets + 3))
    #expect(host.texts == ["30", "31"])
    #expect(host.violations.isEmpty, "\(host.violations)")
  }
}

/// A host that breaks one law at a time.
@MainActor
private final class ForgetfulHost: ListHost {
  enum Fault {
    case none, miscounts, doesNotBegin, forgetsStages, beginsTwice
  }

  weak var content: (any ListContent<SimulatedView, SimulatedView>)?
  let profile = ListProfile.collectionView
  let takesStages = true
  var fault = Fault.none
  var calls: [String] = []

  var numberOfSections: Int { (content?.numberOfSections ?? 0) + (fault == .miscounts ? 1 : 0) }

  func reset(keeping anchor: ListAnchor) { calls.append("reset") }

  func perform(_ stage: ListStage) {
    calls.append("perform")
    if fault == .doesNotBegin { return stage.end() }
    stage.begin()
    if fault == .forgetsStages { return }
    stage.end()
    if fault == .beginsTwice {
      stage.begin()
      stage.end()
    }
  }

  func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> SimulatedView? { nil }
  func reuseIdentifier(of cell: SimulatedView) -> String? { nil }
  var visibleItemPaths: [ItemPath] { [] }
  func cell(at path: ItemPath) -> SimulatedView? { nil }
}
