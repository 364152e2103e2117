import DiffableTesting
import ListSupport
import Synchronization
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// Edits that nobody has accepted yet run again only if what is below them has changed.
@Suite struct PendingEditTests {
  typealias Batch = ModelBatch<String, Card>

  /// A server with cards, and a follower that edits them; what is between them happens when a test says so.
  final class World {
    private let kernels = Snapshot<String, Int>.makeKernels(
      models: ElementKernel(models: Card.self))
    private let handlers = ModelHandlers<String>(drop: nil) {
      (base: Card, theirs: Card, mine: Card) in
      Card(id: mine.id, column: theirs.column, text: theirs.text + "|" + mine.text)
    }
    var road: OwnerAndMirror<Batch>
    private let runs = Runs()

    private final class Runs: Sendable { let count = Atomic(0) }

    /// How often edits of the follower have run.
    var runCount: Int { runs.count.load(ordering: .relaxed) }
    var list: EditedList<Batch> { road.list }
    var shown: Snapshot<String, Int> { list.overlay.core.snapshot }

    init(_ ids: Range<Int>) throws {
      road = try OwnerAndMirror(kernels, handlers) { draft in
        draft.appendSections(["a", "b"])
        try draft.appendItems(ids.map { Card(id: $0) }, toSection: "a")
      }
    }

    /// Lets others change the list on the server.
    func edit(_ edit: (inout Batch.Draft) throws -> Void) throws { try road.write(edit) }

    /// Lets the user of the follower change it.
    func add(
      named name: String? = "Edit", _ edit: @escaping @Sendable (inout Batch.Draft) throws -> Void
    ) throws {
      try road.edit(named: name) { [runs] draft in
        runs.count.add(1, ordering: .relaxed)
        try edit(&draft)
      }
    }

    func deliver() throws { if road.isBehind { try road.deliverNext() } }

    /// Lets the server decide: it refuses cards with a number from 1000 on.
    func arrive() throws {
      try road.arrive { change, _ in
        for case .insertItem(1000..., _) in change.changes {
          throw Refusal(code: "tooLarge", reason: "Too large.")
        }
      }
    }

    /// What the pending edits make of the confirmed state, if all of them run again.
    func madeAgain() throws -> Snapshot<String, Int> {
      let core = SourceCore<String, Int>(
        SourceOptions(), kernels: kernels, children: nil, handlers: handlers)
      let confirmed = list.list.snapshot
      _ = try core.live.apply(
        confirmed, confirmed.givenContent(since: core.live.snapshot), duplicates: .reject,
        keepingOutlines: false)
      for edit in list.overlay.pending { _ = try? edit.make(on: &core.live) }
      return core.live.unchanged.snapshot
    }
  }

  /// What anybody does to the list; each item is named by its place.
  static func edit(
    _ kind: Int, _ place: Int, _ number: Int
  ) -> @Sendable (inout Batch.Draft) throws -> Void {
    { draft in
      let items = draft.snapshot.itemIdentifiers
      let item = items.isEmpty ? nil : items[place % items.count]
      switch (kind, item) {
      case (0, _), (_, nil): try draft.appendItems([Card(id: number)], toSection: "a")
      case (1, let item?): try draft.insertItems([Card(id: number)], beforeItem: item)
      case (2, let item?): draft.deleteItems([item])
      case (3, let item?): try draft.moveItem(item, toSection: place.isMultiple(of: 2) ? "a" : "b")
      case (4, let item?): try draft.renameItem(item, to: Card(id: number, text: "renamed"))
      // A card that is there in any case, and one that only some states have.
      case (5, _): try draft.update(0) { $0.text += "\(number)" }
      case (_, let item?): try draft.update(item) { $0.text += "\(number)" }
      }
    }
  }

  @Test(
    "What is shown is what all edits make of the confirmed state",
    arguments: 0..<rounds(160 as UInt64))
  func sameState(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let world = try World(0..<4)
    for step in 0..<60 {
      let kind = random.number(below: seed.isMultiple(of: 2) ? 8 : 4)
      let place = random.number(below: 12)
      let event = random.number(below: 12)
      switch event {
      case 0...2:
        let number = random.chance(oneIn: 6) ? 1000 + step : 10 + step
        // Undo withdraws the last edit that has a name, from between others.
        let name = random.chance(oneIn: 3) ? nil : "Edit"
        try? world.add(named: name, Self.edit(kind, place, number))
      case 3: try? world.edit(Self.edit(kind, place, 100 + step))
      case 4: _ = try world.list.reverse(.undo, .animated)
      case 5: world.road.lose()
      case 6, 7: world.road.post()
      case 8: if world.road.answer == nil { try world.arrive() }
      case 9: world.road.receive()
      default: try world.deliver()
      }
      let (shown, expected) = (world.shown, try world.madeAgain())
      #expect(shown == expected, "seed \(seed), event \(event) of step \(step)")
      #expect(
        shown.givenContent(since: expected).isEmpty, "seed \(seed), event \(event) of step \(step)")
    }
  }

  @Test("Edits do not run again while those before them are accepted as they were shown")
  func acceptedEdits() throws {
    let world = try World(0..<4)
    let count = 50
    for number in 0..<count { try world.add(Self.edit(number % 4, number, 10 + number)) }
    for _ in 0..<count {
      world.road.post()
      try world.arrive()
      if world.road.server.revision.number.isMultiple(of: 2) { world.road.receive() }
      while world.road.isBehind { try world.deliver() }
      world.road.receive()
    }
    #expect(world.list.overlay.pending.isEmpty)
    #expect(world.shown == world.road.server.snapshot)
    // Once to be shown, and once to be sent.
    #expect(world.runCount == 2 * count)
  }

  @Test("Edits do not run again while those after them are withdrawn")
  func withdrawnEdits() throws {
    let world = try World(0..<4)
    let count = 50
    for number in 0..<count { try world.add(Self.edit(number % 4, number, 10 + number)) }
    for _ in 0..<count { _ = try world.list.reverse(.undo, .animated) }
    #expect(world.shown == world.list.list.snapshot)
    #expect(world.runCount == count)
  }

  @Test("Edits run again once for what others have changed")
  func edits() throws {
    let world = try World(0..<4)
    for number in 0..<10 { try world.add(Self.edit(6, 0, number)) }
    try world.edit { try $0.update(0) { $0.text = "theirs" } }
    try world.deliver()
    #expect(world.runCount == 20)
    #expect(world.shown.model(of: 0, as: Card.self)?.text == "theirs0123456789")
  }

  /// Only the stream has the change then, and an edit that needs it would make no sense without it.
  @Test("A change whose answer leaves the rest to the stream is shown until the stream has it")
  func untilTheStream() throws {
    var road = try OwnerAndMirror(1...2)
    try road.edit { try $0.appendItems([3]) }
    try road.edit { try $0.moveItem(3, beforeItem: 1) }
    let list = road.list
    let proposal = try #require(list.next())
    list.receive(try road.accept(proposal).withoutDelta, for: proposal.id)
    #expect(list.overlay.core.snapshot.itemIdentifiers == [3, 1, 2])
    #expect(list.undecided.count == 2)
    try road.deliver()
    #expect(list.overlay.core.snapshot.itemIdentifiers == [3, 1, 2])
    #expect(list.undecided.count == 1)
    try road.send()
    #expect(road.server.snapshot.itemIdentifiers == [3, 1, 2] && list.undecided.isEmpty)
  }

  @Test("A name is taken back with its edit, although the edit did not run again meanwhile")
  func takenBackName() throws {
    let world = try World(0..<4)
    let hub = world.list.overlay.core.hub
    let cursor = CursorToken(hub: hub, policy: .every(limit: 10), after: nil)
    func renamed() -> [ItemRename<Int>] {
      let reader = RevisionReader<String, Int>(hub: hub)
      var renamed: [ItemRename<Int>] = []
      while let batch = reader.poll(cursor) { renamed += batch.renamedItems }
      return renamed
    }
    #expect(renamed().isEmpty)
    try world.add(Self.edit(4, 2, 20))
    #expect(renamed() == [ItemRename(old: 2, new: 20)])
    try world.add(Self.edit(2, 0, 0))
    #expect(renamed().isEmpty)
    _ = try world.list.reverse(.undo, .animated)
    #expect(renamed().isEmpty)
    _ = try world.list.reverse(.undo, .animated)
    #expect(renamed() == [ItemRename(old: 20, new: 2)])
    #expect(world.runCount == 2)
  }

  @Test(
    "Models of hidden rows are shown, and taken back without those of others",
    arguments: [false, true])
  func hiddenModels(isBehind: Bool) throws {
    var road = try OwnerAndMirror((1...3).map { Card(id: $0, text: "0") })
    try road.write { draft in
      try draft.snapshot.setOutline(Outline([1, 2, 3], levels: [0, 1, 1]), forSection: "s")
    }
    try road.deliver()
    let list = road.list
    func texts() -> [String?] {
      [2, 3].map { list.overlay.core.snapshot.model(of: $0, as: Card.self)?.text }
    }
    try road.edit { try $0.update(2) { $0.text = "mine" } }
    #expect(texts() == ["mine", "0"])
    try road.write { try $0.update(3) { $0.text = "theirs" } }
    if !isBehind {
      try road.deliver()
      #expect(texts() == ["mine", "theirs"])
    }
    try road.send()
    #expect(texts() == ["mine", "theirs"] && list.undecided.isEmpty)
    #expect(try list.reverse(.undo, .animated)?.name == "mine")
    #expect(texts() == ["0", "theirs"])
    try road.send()
    #expect(road.server.snapshot.model(of: 2, as: Card.self)?.text == "0")
  }

  @Test("What an edit has marked is told once, although it was sent and one above it goes away")
  func markedEdit() throws {
    let road = try OwnerAndMirror(1...3)
    try road.edit { try $0.reloadItems([2]) }
    try road.edit(named: "other") { try $0.appendItems([4]) }
    #expect(road.list.next() != nil)
    let hub = road.list.overlay.core.hub
    let cursor = CursorToken(hub: hub, policy: .every(limit: 10), after: hub.revision)
    #expect(try road.list.reverse(.undo, .animated)?.name == "other")
    let batch = try #require(RevisionReader<Int, Int>(hub: hub).poll(cursor))
    #expect(batch.snapshot.itemIdentifiers == [1, 2, 3])
    #expect(batch.difference.itemReloads.isEmpty && batch.difference.itemDeletes.count == 1)
  }
}
