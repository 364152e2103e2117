import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("A controller follows a source at the pace of its host", .deadline)
@MainActor
struct FollowingTests {
  @Test("A host that goes away in any stage of a batch ends the following, and nobody holds it")
  func hostGone() async throws {
    let old = try list([1, 2], [3])
    var new = old
    try new.moveSection(1, beforeSection: 0)
    new.deleteItems([1])
    try new.reconfigureItems([3])
    let count = try UpdateBatch(from: old, to: new).stages(for: .collectionView).count
    #expect(count == 3)
    for stage in 1...count {
      var host: Host? = Host(profile: .collectionView)
      let controller = try Rows().controller(of: #require(host))
      let source = try DataSourceActor<Int, Int>(old)
      let following = Task { await controller.follow(source) }
      try await wait { controller.revision != nil }
      host?.holdsStages = true
      let revision = try await source.apply(new).revision
      await host?.stageBegun()
      for _ in 1..<stage {
        host?.endStage()
        await host?.stageBegun()
      }
      #expect(controller.revision != revision)
      let gone = Weak(object: host)
      host = nil
      #expect(gone.object == nil)
      #expect(await following.value == .hostGone)
      #expect(controller.host == nil)
      #expect(await controller.snapshot == source.snapshot)
      #expect(controller.revision == revision)
      // Nobody waits for what it would have shown.
      await source.delivered(try await source.update { $0.deleteItems([2]) }.revision)
    }
  }

  @Test(
    "A host that goes away while there is nothing to show ends the following with the next change")
  func hostGoneAtRest() async throws {
    var host: Host? = Host(profile: .collectionView)
    let controller = try Rows().controller(of: #require(host))
    let source = try DataSourceActor<Int, Int>(list([1]))
    let following = Task { await controller.follow(source) }
    try await wait { controller.revision != nil }
    let shown = controller.revision
    let gone = Weak(object: host)
    host = nil
    #expect(gone.object == nil)
    try await source.update { try $0.appendItems([2]) }
    #expect(await following.value == .hostGone)
    // It was not shown.
    #expect(controller.snapshot.itemIdentifiers == [1])
    #expect(controller.revision == shown)
  }

  @Test("A host that gets another controller in any stage of a batch is that one's")
  func replaced() async throws {
    let old = try list([1, 2], [3])
    var new = old
    try new.moveSection(1, beforeSection: 0)
    new.deleteItems([1])
    try new.reconfigureItems([3])
    for stage in 1...3 {
      let host = Host(profile: .collectionView)
      let controller = Rows().controller(of: host)
      let source = try DataSourceActor<Int, Int>(old)
      let following = Task { await controller.follow(source) }
      try await wait { controller.revision != nil }
      host.holdsStages = true
      let revision = try await source.apply(new).revision
      await host.stageBegun()
      for _ in 1..<stage {
        host.endStage()
        await host.stageBegun()
      }
      host.holdsStages = false
      // The batch goes on when the main actor is free.
      host.endStage()
      let successor = Rows().controller(of: host)
      successor.start(following: source)
      #expect(await following.value == .hostGone)
      #expect(controller.host == nil && controller.revision == revision)
      #expect(await controller.snapshot == source.snapshot)
      #expect(await successor.displayed(revision))
      #expect(host.texts == ["3", "2"])
      #expect(host.violations.isEmpty, "\(host.violations)")
    }
  }

  @Test("A cancelled task shows the batch that is under way to its end")
  func cancellation() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    let source = try DataSourceActor<Int, Int>(list([1, 2], [3]))
    let following = Task { await controller.follow(source) }
    try await wait { controller.revision != nil }
    host.holdsStages = true
    try await source.update { snapshot in
      try snapshot.moveSection(1, beforeSection: 0)
      snapshot.deleteItems([1])
    }
    await host.stageBegun()
    following.cancel()
    host.endStage()
    await host.stageBegun()
    host.endStage()
    #expect(await following.value == .cancelled)
    #expect(await controller.snapshot == source.snapshot)
    #expect(host.violations.isEmpty, "\(host.violations)")

    // Taken up again, the list goes on from there, and waits.
    let resets = host.resetCount
    let again = Task { await controller.follow(source) }
    try await source.update { $0.deleteItems([3]) }
    await host.stageBegun()
    host.endStage()
    again.cancel()
    #expect(await again.value == .cancelled)
    #expect(host.resetCount == resets)
    #expect(await controller.snapshot == source.snapshot)
  }

  @Test("What start(following:) begins does not hold the controller")
  func ownership() async throws {
    let host = Host(profile: .collectionView)
    var controller: Controller? = Rows().controller(of: host)
    let source = try DataSourceActor<Int, Int>(list([1]))
    controller?.start(following: source)
    try await wait { controller?.revision != nil }
    let gone = Weak(object: controller)
    controller = nil
    try await wait { gone.object == nil }
    #expect(host.content == nil)
    // Its subscription is gone too: nobody is waited for.
    let revision = try await source.update { try $0.appendItems([2]) }.revision
    await source.delivered(revision)
    #expect(host.texts == ["1"])
  }

  @Test(
    "A source that is stopped and started again is taken up where the list left it",
    arguments: [false, true])
  func stopping(isAwaited: Bool) async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    let source = try DataSourceActor<Int, Int>(list([1]))
    var following: Task<FollowingEnd, Never>?
    func follow() {
      guard isAwaited else { return controller.start(following: source) }
      following = Task { await controller.follow(source) }
    }
    follow()
    try await wait { controller.revision != nil }
    let resets = host.resetCount
    controller.stop()
    following?.cancel()
    _ = await following?.value
    try await source.update { try $0.appendItems([2]) }
    #expect(controller.snapshot.itemIdentifiers == [1])
    follow()
    try await wait { controller.snapshot.numberOfItems >= 2 }
    following?.cancel()
    #expect(host.resetCount == resets)
    #expect(host.texts == ["1", "2"])
  }

  @Test("A batch that starts at the same number of another life is shown from scratch")
  func otherLife() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    var (batches, others) = (Batches(), Batches())
    for items in [[1, 2], [1], [1, 3]] {
      _ = try others.next(list(items.map { $0 + 5 }))
      await controller.show(try batches.next(list(items)))
    }
    let resets = host.resetCount
    let next = try batches.next(list([1, 3, 4]))
    var foreign = try others.next(list([6, 8, 9]))
    foreign.epoch = Epoch()
    #expect(foreign.base == next.base && foreign.base == controller.revision)
    await controller.show(foreign)
    #expect(host.resetCount == resets + 1)
    #expect(host.texts == ["6", "8", "9"])
    // And back: the number is right, the life is not.
    await controller.show(next)
    #expect(host.resetCount == resets + 2)
    #expect(host.texts == ["1", "3", "4"])
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("Batches that are shown at the same time come one after the other")
  func turns() async throws {
    var (host, controller, batches) = try await shownList([1])
    host.holdsStages = true
    let second = try batches.next(list([1, 2]))
    let third = try batches.next(list([3, 1, 2]))
    let showing = [second, third].map { batch in Task { await controller.show(batch) } }
    for batch in [second, third] {
      await host.stageBegun()
      #expect(controller.snapshot == batch.snapshot)
      host.endStage()
    }
    for task in showing { await task.value }
    #expect(host.texts == ["3", "1", "2"])
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("While a stage is under way, the host is answered from the state that it has begun")
  func answersDuringStages() async throws {
    var (host, controller, batches) = try await shownList([1, 2], [3])
    host.holdsStages = true
    // Items change and sections move: two stages.
    var new = batches.snapshot
    try new.moveSection(1, beforeSection: 0)
    new.deleteItems([1])
    let batch = try batches.next(new)
    let showing = Task { await controller.show(batch) }
    let stages = batch.stages(for: .collectionView)
    #expect(stages.count == 2)
    for stage in stages {
      await host.stageBegun()
      #expect(controller.snapshot == stage.snapshot)
      #expect(controller.revision == batch.base)
      #expect(controller.itemPath(for: 3) == stage.snapshot.itemPath(for: 3))
      host.endStage()
    }
    await showing.value
    #expect(controller.snapshot == new)
    #expect(controller.revision == batch.target)
    #expect(host.violations.isEmpty, "\(host.violations)")
  }
}
