import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// An app may end at any time, and begin again with what it has stored just now or some time before.
@Suite("Changes of a user in several lives of an app") struct StoredLifeTests {
  typealias Batch = ModelBatch<String, Card>
  typealias State = Snapshot<String, Int>

  private struct World {
    var road: OwnerAndMirror<Batch>
    /// What was told in the present life.
    private let told: Told<Batch>
    private var life: OwnerAndMirror<Batch>.Life?
    /// The proposals that have made a revision of the owner, in all lives.
    private var made: Set<WriteID> = []
    private let isTree: Bool

    init(isTree: Bool) throws {
      self.isTree = isTree
      road = try OwnerAndMirror((0..<5).map { Card(id: $0) }, in: ["a", "b"])
      told = Told(of: road.list)
      guard isTree else { return }
      try road.write { draft in
        try draft.snapshot.setOutline(
          Outline([0, 1, 2, 3, 4], levels: [0, 1, 2, 0, 1], expanding: [0]), forSection: "a")
      }
      try road.deliver()
    }

    private func edit(
      _ kind: Int, _ place: Int, _ number: Int
    ) -> @Sendable (inout Batch.Draft) throws -> Void {
      isTree
        ? StoredLifeTests.treeEdit(kind, place, number)
        : PendingEditTests.edit(kind, place, number)
    }

    var shown: State { road.list.overlay.core.snapshot }

    /// - Returns: What is wrong.
    mutating func perform(_ step: Int, using random: inout SplitMix64) throws -> String? {
      let (kind, place) = (random.number(below: 8), random.number(below: 12))
      switch random.number(below: 20) {
      case 0...4:
        let name = random.chance(oneIn: 3) ? nil : "mine"
        try? road.edit(named: name, edit(kind, place, 100 + step))
      case 5: try? road.write(edit(kind, place, 200 + step))
      case 6: _ = try? road.list.reverse(.undo, .animated)
      case 7: _ = try? road.list.reverse(.redo, .animated)
      case 8: road.lose()
      case 9, 10: road.post()
      case 11, 12: if road.answer == nil, let fault = try arrive() { return fault }
      case 13: road.receive()
      case 14: road.receive(isShort: true)
      case 15: life = road.life
      case 16:
        if let fault = try restart(random.number(below: 3)) { return fault }
      default: if road.isBehind { try road.deliverNext() }
      }
      return fault
    }

    private mutating func arrive() throws -> String? {
      guard let proposal = road.proposal else { return nil }
      let revision = road.server.revision
      try road.arrive()
      guard road.server.revision > revision else { return nil }
      return made.insert(proposal.id).inserted ? nil : "a change was made twice"
    }

    private mutating func restart(_ kind: Int) throws -> String? {
      told.clear()
      let (shown, ids) = (self.shown, Set(road.list.undecided.map(\.id)))
      switch kind {
      case 0:
        let isComplete = road.life.isComplete
        try road.restart()
        if Set(road.list.undecided.map(\.id)) != ids { return "other changes are undecided" }
        if isComplete, !isSame(shown, self.shown) { return "\(self.shown) instead of \(shown)" }
      case 1: try road.restart(from: life)
      default:
        try road.restart(isFollowing: true)
        if Set(road.list.undecided.map(\.id)) != ids { return "other changes are undecided" }
        if !isSame(road.list.list.snapshot, road.server.snapshot) { return "the mirror went back" }
      }
      return nil
    }

    private func isSame(_ one: State, _ other: State) -> Bool {
      one == other && one.givenContent(since: other).isEmpty
    }

    /// What must hold at any time.
    private var fault: String? {
      let (list, ids) = (road.list, told.ids)
      if Set(ids).count < ids.count { return "an outcome was told twice" }
      if list.undecided.contains(where: { ids.contains($0.id) }) { return "told, and undecided" }
      if list.overlay.pending.isEmpty, !isSame(shown, list.list.snapshot) {
        return "\(shown) with nothing pending"
      }
      guard let held = list.list.held?.parts?.place.revision,
        let known = RevisionReader<String, Int>(hub: road.server.hub).snapshot(at: held)
      else { return nil }
      return isSame(list.list.snapshot, known) ? nil : "\(list.list.snapshot) instead of \(known)"
    }

    /// Lets everything arrive.
    ///
    /// - Returns: What is wrong then.
    mutating func finish() throws -> String? {
      let waiting = road.list.undecided.map(\.id)
      road.lose()
      try road.deliver()
      try road.send()
      if let fault { return fault }
      let list = road.list
      if !list.undecided.isEmpty || list.stored?.count != 0 { return "something is undecided" }
      if !list.questions.isEmpty { return "an answer is missing" }
      if !Set(waiting).isSubset(of: told.ids) { return "an outcome was not told" }
      return isSame(shown, road.server.snapshot) ? nil : "\(shown) at the end"
    }
  }

  /// What anybody does to a tree beside a list; each row is named by its place, also if it is hidden.
  private static func treeEdit(
    _ kind: Int, _ place: Int, _ number: Int
  ) -> @Sendable (inout Batch.Draft) throws -> Void {
    { draft in
      let tree = draft.snapshot.outline(ofSection: "a")
      let rows = tree?.items ?? []
      guard !rows.isEmpty else {
        return try draft.appendItems([Card(id: number)], toSection: "a")
      }
      let (row, other) = (rows[place % rows.count], rows[(place / 2 + 1) % rows.count])
      switch kind {
      case 0: try draft.appendItems([Card(id: number)], toItem: row)
      case 1: try draft.moveItem(row, intoItem: other)
      case 2: draft.deleteItems([row])
      case 3: try draft.moveItem(row, toSection: place.isMultiple(of: 2) ? "a" : "b")
      case 4: try draft.renameItem(row, to: Card(id: number, text: "renamed"))
      case 5 where tree?.isExpanded(row) == true: draft.snapshot.collapseItems([row])
      case 5: draft.snapshot.expandItems([row])
      case 6: try draft.moveItem(row, beforeItem: other)
      default: try draft.update(row) { $0.text += "\(number)" }
      }
    }
  }

  @Test(
    "Each is made once, and told once in a life; a restart shows the same, in trees as well",
    arguments: 0..<rounds(192 as UInt64))
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var world = try World(isTree: !seed.isMultiple(of: 2))
    for step in 0..<60 {
      let fault = try world.perform(step, using: &random)
      try #require(fault == nil, "seed \(seed), step \(step): \(fault ?? "")")
    }
    let fault = try world.finish()
    #expect(fault == nil, "seed \(seed): \(fault ?? "")")
  }

  @Test("What waits can be taken back in the next life although others had renamed its row before")
  func renamedRow() throws {
    var road = try OwnerAndMirror(1...3)
    try road.edit { try $0.moveItem(1, afterItem: 3) }
    // Others do the same, so it makes nothing at present.
    try road.write { list in
      try list.renameItem(1, to: 5)
      try list.moveItem(5, afterItem: 3)
    }
    try road.deliver()
    try road.restart()
    try road.write { try $0.moveItem(5, beforeItem: 2) }
    try road.deliver()
    func shown() -> [Int] { road.list.overlay.core.snapshot.itemIdentifiers }
    #expect(shown() == [2, 3, 5])
    #expect(try road.list.reverse(.undo, .animated)?.name == "mine")
    #expect(shown() == [5, 2, 3])
    try road.send()
    #expect(shown() == [5, 2, 3] && road.server.snapshot.itemIdentifiers == [5, 2, 3])
  }

  @Test("A question for a lost answer is there once, however often it is resumed")
  func questionTwice() throws {
    var road = try OwnerAndMirror(1...2)
    try road.edit { try $0.appendItems([3]) }
    road.post()
    try road.arrive()
    try road.deliver()
    road.lose()
    let stored = try #require(road.list.stored)
    #expect(stored.questions.count == 1 && stored.proposals.isEmpty)
    for isRestarted in [false, true] {
      if isRestarted { try road.restart() }
      try road.list.resume(stored)
      #expect(road.list.undecided.count == 1, "\(isRestarted)")
    }
    try road.send()
    #expect(road.list.undecided.isEmpty && road.server.snapshot.itemIdentifiers == [1, 2, 3])
  }
}
