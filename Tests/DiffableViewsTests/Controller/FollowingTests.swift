import Diffable
import DiffableTesting
import DiffableViews
import Testing

@Suite("A controller follows a source at the pace of its host")
@MainActor
struct FollowingTests {
  @Test("A host that is slow is behind by one batch, and ends right")
  func backPressure() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    let source = try DataSourceActor<Int, Int>(list([1]))
    let following = Task { await controller.follow(source) }
    while controller.revision == nil { await Task.yield() }
    host.holdsStages = true
    var stages = 0
    for round in 0..<20 {
      // Many writers while one stage, or none, is under way.
      await withTaskGroup { group in
        for writer in 0..<8 {
          group.addTask {
            _ = try? await source.update { try $0.appendItems([100 + round * 8 + writer]) }
          }
        }
      }
      let live = await source.revision
      await host.stageBegun()
      stages += 1
      #expect(host.stageCount == stages)
      let shown = try #require(controller.revision)
      host.endStage()
      if shown < live, controller.snapshot.numberOfItems < 1 + 8 * (round + 1) {
        // The next batch leads from what is on display to the newest state.
        await host.stageBegun()
        stages += 1
        #expect(controller.snapshot.numberOfItems == 1 + 8 * (round + 1))
        host.endStage()
      }
    }
    host.holdsStages = false
    await source.finish()
    #expect(await following.value == .sourceFinished)
    #expect(await controller.snapshot == source.snapshot)
    #expect(host.stageCount <= 40)
    #expect(host.texts.count == 161)
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("A host that goes away in the middle of a stage ends the following")
  func hostGone() async throws {
    var host: Host? = Host(profile: .collectionView)
    let controller = try Rows().controller(of: #require(host))
    let source = try DataSourceActor<Int, Int>(list([1]))
    let following = Task { await controller.follow(source) }
    while controller.revision == nil { await Task.yield() }
    host?.holdsStages = true
    // Two stages: what is on display ends behind the second.
    try await source.update { snapshot in
      snapshot.appendSections([1])
      try snapshot.moveSection(1, beforeSection: 0)
      try snapshot.appendItems([2])
    }
    await host?.stageBegun()
    let gone = Weak(object: host)
    host = nil
    #expect(gone.object == nil)
    #expect(await following.value == .hostGone)
    #expect(controller.host == nil)
    #expect(await controller.snapshot == source.snapshot)
    #expect(await controller.revision == source.revision)
  }

  @Test("Nobody holds a host while it works on a stage, nor the first of two stages the second")
  func hostGoneBetweenStages() async throws {
    var host: Host? = Host(profile: .collectionView)
    let controller = try Rows().controller(of: #require(host))
    var batches = Batches()
    await controller.show(try batches.next(list([1, 2], [3])))
    var new = batches.snapshot
    try new.moveSection(1, beforeSection: 0)
    new.deleteItems([1])
    let batch = try batches.next(new)
    host?.holdsStages = true
    let showing = Task { await controller.show(batch) }
    await host?.stageBegun()
    #expect(controller.snapshot != new)
    host = nil
    await showing.value
    #expect(controller.snapshot == new)
    #expect(controller.revision == batch.target)
  }

  @Test("A cancelled task shows the batch that is under way to its end")
  func cancellation() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    let source = try DataSourceActor<Int, Int>(list([1, 2], [3]))
    let following = Task { await controller.follow(source) }
    while controller.revision == nil { await Task.yield() }
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

  @Test("The list follows one source: the newest")
  func superseding() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    let (first, second) = try (
      DataSourceActor<Int, Int>(list([1])), DataSourceActor<Int, Int>(list([7]))
    )
    let following = Task { await controller.follow(first) }
    while controller.revision == nil { await Task.yield() }
    controller.start(following: second)
    while controller.snapshot.containsItem(1) { await Task.yield() }
    try await first.update { try $0.appendItems([2]) }
    #expect(await following.value == .superseded)
    #expect(controller.snapshot.itemIdentifiers == [7])
    // A batch from elsewhere ends that as well.
    var batches = Batches()
    await controller.show(try batches.next(list([9])))
    try await second.update { try $0.appendItems([8]) }
    await second.settled(second.revision)
    #expect(controller.snapshot.itemIdentifiers == [9])
    #expect(host.texts == ["9"])
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("What start(following:) begins does not hold the controller")
  func ownership() async throws {
    let host = Host(profile: .collectionView)
    var controller: Controller? = Rows().controller(of: host)
    let source = try DataSourceActor<Int, Int>(list([1]))
    controller?.start(following: source)
    while controller?.revision == nil { await Task.yield() }
    let gone = Weak(object: controller)
    controller = nil
    while gone.object != nil { await Task.yield() }
    #expect(host.content == nil)
    // Its subscription is gone too: nobody is waited for.
    let revision = try await source.update { try $0.appendItems([2]) }
    await source.settled(revision)
    #expect(host.texts == ["1"])
  }

  @Test("A source that is stopped and started again is taken up where the list left it")
  func stopping() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    let source = try DataSourceActor<Int, Int>(list([1]))
    controller.start(following: source)
    while controller.revision == nil { await Task.yield() }
    let resets = host.resetCount
    controller.stop()
    try await source.update { try $0.appendItems([2]) }
    #expect(controller.snapshot.itemIdentifiers == [1])
    controller.start(following: source)
    while controller.snapshot.numberOfItems < 2 { await Task.yield() }
    #expect(host.resetCount == resets)
    #expect(host.texts == ["1", "2"])
  }

  @Test("Batches that are shown at the same time come one after the other")
  func turns() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    var batches = Batches()
    await controller.show(try batches.next(list([1])))
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
}
