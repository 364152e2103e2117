import Diffable
import DiffableSync
import DiffableTesting
import DiffableViews
import Foundation
import TestScope
import Testing

@Suite("Cells and observers know which rows others have not accepted yet", .deadline)
@MainActor
struct UnconfirmedCellTests {
  private typealias Replica = ReplicatedSource<UpdateBatch<Int, Int>>
  private typealias Write = OptimisticWrite<Int, Int>

  private static func replica(_ log: any RevisionLog) async throws -> Replica {
    var options = ReplicationOptions()
    (options.pause, options.longestPause) = (.milliseconds(1), .milliseconds(5))
    // On machines where many tests run at once, it takes long until a write goes on.
    options.timeLimit = .seconds(3_600)
    return try await Replica(log, options: options) {
      try Array(JSONEncoder().encode($0))
    } decode: {
      try JSONDecoder().decode(UpdateDelta<Int, Int>.self, from: Data($0))
    }
  }

  /// A controller and an observed list that show the same batches, and what they should say.
  @MainActor private final class Screen {
    let host: Host
    let observed = ObservableList<Int, Int>()
    private let controller: Controller
    private(set) var shown: UpdateBatch<Int, Int>?

    init(_ profile: ListProfile) {
      host = Host(profile: profile)
      let rows = CellRegistration<SimulatedView, (item: Int, isUnconfirmed: Bool)> { cell, _, row in
        cell.text = "\(row.item) \(row.isUnconfirmed ? "?" : "!")"
      }
      controller = Controller(host: host) { cells, path, item in
        try cells.dequeueConfiguredReusableCell(
          using: rows, for: path, item: (item, cells.isUnconfirmed))
      }
    }

    func show(_ batch: UpdateBatch<Int, Int>, _ comment: Comment) async {
      let before = shown?.unconfirmedItems ?? []
      let items = batch.snapshot.itemIdentifiers
      let watches = items.map { item in Watch { _ = observed.isUnconfirmed(item) } }
      await controller.show(batch)
      observed.show(batch)
      shown = batch
      let pending = batch.unconfirmedItems
      #expect(host.texts == items.map { "\($0) \(pending.contains($0) ? "?" : "!")" }, comment)
      for (item, watch) in zip(items, watches) {
        let isPending = pending.contains(item)
        #expect(controller.isUnconfirmed(item) == isPending, comment)
        #expect(observed.isUnconfirmed(item) == isPending, comment)
        #expect(watch.hasFired || before.contains(item) == isPending, comment)
      }
    }
  }

  @Test("However a list is edited, and whenever the log can be reached", arguments: everyProfile)
  func edited(profile: ListProfile) async throws {
    for seed in 0..<UInt64(scoped(usual: 3, wide: 20)) {
      var random = SplitMix64(seed: seed)
      let way = MemoryLog().participant()
      let replica = try await Self.replica(way)
      try await replica.update { draft in
        draft.appendSections([0, 1])
        try draft.appendItems(Array(0..<4), toSection: 0)
      }
      let list = await replica.optimistic()
      let screen = Screen(profile)
      var batches = list.updates().makeAsyncIterator()
      var writes: [Write] = []
      var pendingCounts: Set<Int> = []
      for step in 0..<24 {
        let comment: Comment = "seed \(seed), step \(step)"
        let item = random.element(of: await list.snapshot.itemIdentifiers) ?? 0
        // Whatever follows, a change waits first.
        switch step < 2 ? 5 * step : random.number(below: 6) {
        case 0: way.cut()
        case 1:
          way.heal()
          for write in writes { _ = await write.outcome }
          writes = []
        case 2:
          writes.append(try await list.update { try $0.moveItem(item, toSection: step % 2) })
        case 3: writes.append(try await list.update { $0.deleteItems([item]) })
        case 4:
          writes.append(try await list.update { try $0.renameItem(item, to: 200 + step) })
        default:
          writes.append(try await list.update { try $0.appendItems([100 + step], toSection: 1) })
        }
        let reached = await list.revision
        while (screen.shown?.target ?? Revision(0)) < reached {
          let batch = try #require(await batches.next())
          await screen.show(batch, comment)
          pendingCounts.insert(batch.unconfirmedItems.count)
        }
      }
      way.heal()
      for write in writes { _ = await write.outcome }
      while screen.shown?.unconfirmedItems.isEmpty != true {
        await screen.show(try #require(await batches.next()), "seed \(seed), at the end")
      }
      #expect(pendingCounts.count > 1, "seed \(seed): no row was ever unconfirmed")
    }
  }

  @Test("In the middle of a batch that renames it, a row that waits is unconfirmed by both names")
  func betweenStages() async throws {
    let start = try list([1, 2], [3, 4], [5, 6])
    var end = try list([5, 3], [6, 2], [1, 4])
    try end.renameItem(1, to: 9)
    try end.moveSection(2, beforeSection: 0)
    var batch = try UpdateBatch(from: start, to: end)
    batch.unconfirmedItems = [9]
    let host = PlainHost()
    let controller = ListController<Int, Int, PlainHost>(host: host) { _, _, _ in nil }
    await controller.show(try UpdateBatch(showing: start))
    var stages = 0
    host.work = { [unowned controller] in
      stages += 1
      #expect([1, 9].allSatisfy(controller.isUnconfirmed) && !controller.isUnconfirmed(2))
    }
    await controller.show(batch)
    #expect(stages > 1 && controller.isUnconfirmed(9) && !controller.isUnconfirmed(1))
  }

  @Test("Rows stay unconfirmed while the user drags others, and if nothing is dropped")
  func dragged() async throws {
    let way = MemoryLog().participant()
    let replica = try await Self.replica(way)
    try await replica.update { draft in
      draft.appendSections([0, 1])
      try draft.appendItems(Array(0..<4), toSection: 0)
    }
    let list = await replica.optimistic()
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    controller.start(following: list)
    try await wait { controller.snapshot.numberOfItems == 4 }
    way.cut()
    let write = try await list.update { try $0.appendItems([9], toSection: 1) }
    try await wait { controller.isUnconfirmed(9) }
    #expect(try await controller.beginReorder([0]))
    try await controller.proposeReorder(to: .after(3))
    #expect(controller.snapshot.description == "0[1 2 3 0] 1[9]")
    #expect(controller.isUnconfirmed(9) && !controller.isUnconfirmed(0))
    await controller.cancelReorder()
    #expect(controller.snapshot.description == "0[0 1 2 3] 1[9]")
    #expect(controller.isUnconfirmed(9) && !controller.isUnconfirmed(0))
    way.heal()
    _ = await write.outcome
    try await wait { !controller.isUnconfirmed(9) }
  }
}
