import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// What an answer has brought comes once more with the stream, at any time.
@Suite("Answers and deltas in every order") struct LateDeltaTests {
  typealias World = LateWorld

  /// A law that does not hold.
  private struct Broken: Error { let law: String }

  @Test("Lost, twice, late, after a cut or a reset: what the list has had is skipped")
  func everyOrder() throws {
    var (number, count, faults) = (0, 0, [String]())
    /// What can come next, or what is wrong.
    func run(_ events: [World.Event]) throws -> Result<[World.Event], Broken> {
      var world = try World(faults: 2)
      for (index, event) in events.enumerated() {
        guard let fault = try world.perform(event), index == events.count - 1 else { continue }
        return .failure(Broken(law: fault))
      }
      let next = world.events
      return try world.finish().map { .failure(Broken(law: $0)) } ?? .success(next)
    }
    func explore(_ events: [World.Event]) {
      count += 1
      do {
        let next = try run(events).get()
        guard events.count < scoped(usual: 4, wide: 5, long: 7) else { return }
        for event in next {
          // Of the longest, some.
          number += 1
          guard events.count < 3 || isInScope(number, usual: 4, wide: 2) else { continue }
          explore(events + [event])
        }
      } catch {
        faults.append("\(error), after \(events)")
      }
    }
    explore([])
    #expect(faults.isEmpty, "\(faults.count) of \(count), first: \(faults.first ?? "")")
    #expect(count > 100)
  }

  @Test(
    "A stream that is late goes on from where it was, however many answers have come since",
    arguments: [1, 31, 32, 33, 40])
  func manyAnswers(count: Int) throws {
    var world = try LatePlaces(.answer)
    for number in 0..<count {
      try world.edit { try $0.appendItems([100 + number]) }
      let proposal = try #require(world.list.next())
      world.list.receive(try world.accept(proposal), for: proposal.id)
    }
    #expect(world.list.list.snapshot == world.server.snapshot)
    // In one delta with all that the mirror has already.
    try world.write { try $0.insertItems([5], beforeItem: 1) }
    try world.deliver()
    #expect(world.list.list.snapshot == world.server.snapshot)
    #expect(world.list.overlay.core.snapshot.itemIdentifiers.prefix(2) == [5, 1])
    #expect(world.list.undecided.isEmpty && world.list.list.token == world.list.list.held)
  }

  @Test("A row that others have renamed twice stays one row for a stream between the two names")
  func renamedTwice() throws {
    let world = try LatePlaces(.answer)
    let reader = RevisionReader<Int, Int>(hub: world.server.hub)
    try world.write { try $0.renameItem(1, to: 10) }
    let first = try #require(reader.batch(since: Revision(1), limit: .max))
    try world.edit { try $0.appendItems([5]) }
    let proposal = try #require(world.list.next())
    world.list.receive(try world.accept(proposal), for: proposal.id)
    try world.write { try $0.renameItem(10, to: 100) }
    let second = try #require(reader.batch(since: Revision(2), limit: .max))
    let core = world.list.list.core
    let shown = core.revision
    for batch in [first, second] {
      _ = try world.list.apply { () throws(DeltaError) in UpdateDelta(batch) }
    }
    let told = RevisionReader<Int, Int>(hub: core.hub).batch(since: shown, limit: .max)
    #expect(told?.renamedItems == [ItemRename(old: 10, new: 100)])
    #expect(world.list.list.snapshot == world.server.snapshot)
  }

  @Test("The same in long random runs with many faults")
  func random() throws {
    for seed in 0..<UInt64(rounds(400)) {
      var random = SplitMix64(seed: seed)
      var (world, path) = (try World(faults: 12), [World.Event]())
      for _ in 0..<40 {
        guard let event = random.element(of: world.events) else { break }
        path.append(event)
        let fault = try world.perform(event)
        try #require(fault == nil, "seed \(seed): \(fault ?? ""), after \(path)")
      }
      let fault = try world.finish()
      try #require(fault == nil, "seed \(seed): \(fault ?? ""), after \(path)")
    }
  }

  @Test(
    "If the stream goes wrong after an answer, what that has brought stays, and the list goes on there"
  )
  func afterAnswer() throws {
    let world = try LatePlaces(.answer)
    try world.edit { try $0.insertItems([5], afterItem: 2) }
    let proposal = try #require(world.list.next())
    world.list.receive(try world.accept(proposal), for: proposal.id)
    let mirror = world.list.list
    #expect(mirror.snapshot.itemIdentifiers == [1, 2, 5, 3, 4])
    try world.write { $0.deleteItems([4]) }

    // The stream starts before the answer, and has a row too many.
    let reader = RevisionReader<Int, Int>(hub: world.server.hub)
    let whole = UpdateDelta(try #require(reader.batch(since: Revision(1), limit: .max)))
    let unfit = UpdateDelta(
      frame: whole.frame, sections: whole.sections, items: whole.items + [6],
      outlines: whole.outlines, renamedItems: whole.renamedItems, placed: whole.placed,
      droppedItems: whole.droppedItems, droppedSections: whole.droppedSections)
    #expect(throws: DeltaError.self) {
      try world.list.apply { () throws(DeltaError) in unfit }
    }
    #expect(mirror.snapshot.itemIdentifiers == [1, 2, 5, 3, 4])

    let next = UpdateDelta(try #require(reader.batch(since: Revision(2), limit: .max)))
    _ = try world.list.apply { () throws(DeltaError) in next }
    #expect(mirror.snapshot.itemIdentifiers == [1, 2, 5, 3])
    #expect(world.list.overlay.core.snapshot == world.server.snapshot)
  }

  @Test("If the owner has lost what its answer has brought, the list begins again from scratch")
  func lost() throws {
    let world = try LatePlaces(.answer)
    try world.edit { try $0.insertItems([5], afterItem: 2) }
    let proposal = try #require(world.list.next())
    world.list.receive(try world.accept(proposal), for: proposal.id)
    let mirror = world.list.list
    // The owner was put back from an older copy.
    let owner = SourceCore<Int, Int>(
      SourceOptions(epoch: world.server.hub.epoch), kernels: .ofNumbers(), children: nil)
    try owner.begin(with: [1, 2, 3, 4], in: 0)
    let whole = owner.whole
    // It could as well be another server, which has not heard of the last change yet.
    _ = try world.list.apply { () throws(DeltaError) in whole }
    #expect(mirror.snapshot.itemIdentifiers == [1, 2, 5, 3, 4])

    // Only who asks it knows that it is not.
    try world.edit { try $0.appendItems([6]) }
    for count in 1...2 {
      let next = try #require(world.list.next())
      world.list.receive(try owner.accept(next) { _, _ in }, for: next.id)
      guard count == 1 else { continue }
      #expect(world.list.next() == nil && mirror.token == nil)
      _ = try world.list.apply { () throws(DeltaError) in whole }
      #expect(mirror.snapshot.itemIdentifiers == [1, 2, 3, 4] && mirror.token == whole.target)
      #expect(world.list.overlay.core.snapshot.itemIdentifiers == [1, 2, 3, 4, 6])
    }
    #expect(owner.snapshot.itemIdentifiers == [1, 2, 3, 4, 6] && world.list.undecided.isEmpty)
    #expect(mirror.snapshot == owner.snapshot)
    try world.edit { $0.deleteItems([1]) }
    #expect(world.list.next() != nil)
  }

  @Test(
    "What is late ends a gap in the stream, unless the owner has lost the list",
    arguments: [false, true])
  func lateAfterGap(isLost: Bool) throws {
    let world = try LatePlaces(.answer)
    try world.write { try $0.insertItems([6], beforeItem: 1) }
    try world.edit { try $0.insertItems([5], afterItem: 2) }
    let proposal = try #require(world.list.next())
    world.list.receive(try world.accept(proposal), for: proposal.id)
    let mirror = world.list.list
    #expect(mirror.snapshot == world.server.snapshot && mirror.token == mirror.held)
    if isLost {
      mirror.lose(mirror.held)
    } else {
      #expect(throws: DeltaError.self) {
        try world.list.apply { () throws(DeltaError) -> UpdateDelta<Int, Int> in
          throw .undecodable(reason: "cut")
        }
      }
    }
    #expect(mirror.token == nil)
    let reader = RevisionReader<Int, Int>(hub: world.server.hub)
    let batch = reader.batch(since: Revision(1), through: Revision(2), limit: .max)
    let late = UpdateDelta(try #require(batch))
    _ = try world.list.apply { () throws(DeltaError) in late }
    #expect(mirror.snapshot == world.server.snapshot)
    #expect(mirror.token == (isLost ? nil : mirror.held))
  }

  @Test(
    "An accepted change waits for the list that has it, or for another life of the owner",
    arguments: [false, true])
  func otherLife(isAcceptedThere: Bool) throws {
    var road = try OwnerAndMirror(1...2)
    let list = road.list
    try road.edit { try $0.appendItems([3]) }
    let proposal = try #require(list.next())
    let answer = try road.accept(proposal).withoutDelta
    let next = SourceCore<Int, Int>(SourceOptions(), kernels: .ofNumbers(), children: nil)
    try next.begin(with: [1, 2, 3], in: 0)
    let token = next.hub.token(for: next.revision)
    list.receive(
      isAcceptedThere
        ? .accepted(ProposalAcceptance(token: token, Contradictions())) : answer, for: proposal.id)
    #expect(list.undecided.count == 1)
    #expect(list.overlay.core.snapshot.itemIdentifiers == [1, 2, 3])
    let whole = next.whole
    _ = try list.apply { () throws(DeltaError) in whole }
    #expect(list.undecided.isEmpty)
    #expect(list.overlay.core.snapshot == next.snapshot)
  }
}
