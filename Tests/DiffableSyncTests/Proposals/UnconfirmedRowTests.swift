import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// Which rows are unconfirmed, and what others mark while a user's changes are pending.
@Suite("Rows of an editable mirror with pending changes") struct UnconfirmedRowTests {
  typealias Batch = ModelBatch<String, Card>

  /// What a change does with a row of its own.
  enum Deed: CaseIterable {
    case insert, update, move, place, rename, delete, insertSection

    func edit(_ row: Int) -> @Sendable (inout Batch.Draft) throws -> Void {
      { draft in
        switch self {
        case .insert: try draft.appendItems([Card(id: row + 100)], toSection: "b")
        case .update: try draft.update(row) { $0.text = "mine" }
        case .move: try draft.moveItem(row, toSection: "b")
        case .place: try draft.moveItem(row, beforeItem: 0)
        case .rename: try draft.renameItem(row, to: Card(id: row + 200))
        case .delete: draft.deleteItems([row])
        case .insertSection:
          draft.appendSections(["new \(row)"])
          try draft.appendItems([Card(id: row + 100)], toSection: "new \(row)")
        }
      }
    }

    /// The rows that show it.
    func rows(_ row: Int) -> Set<Int> {
      switch self {
      case .insert, .insertSection: [row + 100]
      case .update, .move, .place: [row]
      case .rename: [row + 200]
      case .delete: []
      }
    }
  }

  @Test(
    "A row is unconfirmed as long as a change of it is pending, and told so in both directions",
    arguments: 0..<rounds(160 as UInt64))
  func unconfirmed(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let kernels = Snapshot<String, Int>.makeKernels(models: ElementKernel(models: Card.self))
    var world = try OwnerAndMirror<Batch>(kernels) { draft in
      draft.appendSections(["a", "b"])
      try draft.appendItems((0..<8).map { Card(id: $0) }, toSection: "a")
      try draft.appendItems([Card(id: 50)], toSection: "b")
    }
    let hub = world.list.overlay.core.hub
    let reader = RevisionReader<String, Int>(hub: hub)
    let cursor = CursorToken(hub: hub, policy: .every(limit: 1000), after: nil)
    _ = reader.poll(cursor)
    var (deeds, told) = ([WriteID: Set<Int>](), Set<Int>())
    var next = 1
    for step in 0..<50 {
      let list = world.list
      switch random.number(below: 8) {
      case 0, 1:
        guard next < 8, let deed = random.element(of: Deed.allCases) else { break }
        try world.edit(deed.edit(next))
        deeds[try #require(list.undecided.last).id] = deed.rows(next)
        next += 1
      case 2:
        guard list.overlay.pending.last?.mayHaveBeenSent == false else { break }
        _ = try list.reverse(.undo, .animated)
      case 3:
        try world.write { draft in
          try draft.appendItems([Card(id: 300 + step)], toSection: step % 2 == 0 ? "a" : "b")
          try draft.update(50) { $0.text = "\(step)" }
        }
      case 4: world.post()
      case 5, 6:
        guard world.proposal != nil else { break }
        try world.arrive()
        if random.chance(oneIn: 3) {
          world.lose()
        } else {
          world.receive(isShort: !random.chance(oneIn: 2))
        }
      default: if world.isBehind { try world.deliverNext() }
      }
      let comment: Comment = "seed \(seed), step \(step)"
      while let batch = reader.poll(cursor) {
        let changed = told.symmetricDifference(batch.unconfirmedItems)
        told = batch.unconfirmedItems
        let difference = batch.difference
        #expect(!difference.isEmpty || !changed.isEmpty, comment)
        // A renderer draws each of them again.
        let paths = changed.compactMap(batch.snapshot.itemPath(for:))
        if difference.itemInserts.isEmpty, difference.sectionInserts.isEmpty,
          difference.itemMoves.isEmpty
        {
          let drawn = paths.filter { !difference.itemRenames.contains($0) }
          #expect(drawn.allSatisfy(difference.itemReconfigures.contains), comment)
        }
      }
      let expected = list.overlay.pending.reduce(into: Set<Int>()) {
        $0.formUnion(deeds[$1.id] ?? [])
      }
      #expect(told == expected, comment)
    }
  }

  @Test("A deletion that the owner has made is nothing new", arguments: [false, true])
  func confirmedDeletion(isWithAnswer: Bool) throws {
    var world = try OwnerAndMirror(1...3)
    try world.edit { $0.deleteItems([2]) }
    let hub = world.list.overlay.core.hub
    let shown = hub.revision
    let proposal = try #require(world.list.next())
    let answer = try world.accept(proposal)
    world.list.receive(isWithAnswer ? answer : answer.withoutDelta, for: proposal.id)
    try world.deliver()
    #expect(world.list.undecided.isEmpty)
    #expect(hub.revision == shown)
    try world.write { $0.deleteItems([3]) }
    try world.deliver()
    #expect(hub.revision == shown.next)
  }

  @Test(
    "A row that the user has taken out of a section that others reload is reloaded as well",
    arguments: [false, true])
  func reloadedSection(isRenamed: Bool) throws {
    var world = try OwnerAndMirror<UpdateBatch<Int, Int>>(.ofNumbers()) { draft in
      draft.appendSections([0, 1])
      try draft.appendItems([1, 2, 3], toSection: 0)
      try draft.appendItems([4, 5], toSection: 1)
    }
    // One leaves the section, one stays in it, and one comes from the other section.
    try world.edit { draft in
      try draft.moveItem(2, afterItem: 4)
      try draft.moveItem(3, beforeItem: 1)
      if isRenamed { try draft.renameItem(2, to: 6) }
    }
    try world.edit { try $0.moveItem(5, afterItem: 1) }
    let hub = world.list.overlay.core.hub
    let reader = RevisionReader<Int, Int>(hub: hub)
    let cursor = CursorToken(hub: hub, policy: .every(limit: 1000), after: hub.revision)
    try world.write { try $0.reloadSections([0]) }
    try world.deliver()
    let batch = try #require(reader.poll(cursor))
    let row = isRenamed ? 6 : 2
    #expect(batch.snapshot.itemIdentifiers == [3, 1, 5, 4, row])
    #expect(Array(batch.difference.sectionReloads.ranges.joined()) == [0])
    let reloaded = batch.difference.itemReloads.map(batch.snapshot.itemIdentifier(for:))
    #expect(reloaded == [row])
  }

  @Test("Rows that the user unfolds are confirmed, unless they are new, moved or changed")
  func unfolded() throws {
    var world = try OwnerAndMirror((1...4).map { Card(id: $0) })
    try world.write { draft in
      try draft.snapshot.setOutline(Outline([1, 2, 3, 4], levels: [0, 1, 1, 1]), forSection: "s")
    }
    try world.deliver()
    let hub = world.list.overlay.core.hub
    let reader = RevisionReader<String, Int>(hub: hub)
    let cursor = CursorToken(hub: hub, policy: .every(limit: 1000), after: nil)
    _ = reader.poll(cursor)
    try world.edit { $0.snapshot.expandItems([1]) }
    #expect(reader.poll(cursor)?.unconfirmedItems == [1])
    try world.edit { draft in
      try draft.update(3) { $0.text = "mine" }
      try draft.moveItem(4, beforeItem: 2)
      try draft.appendItems([Card(id: 5)], toItem: 1)
    }
    #expect(reader.poll(cursor)?.unconfirmedItems == [1, 3, 4, 5])
    for unconfirmed: Set<Int> in [[3, 4, 5], []] {
      let proposal = try #require(world.list.next())
      world.list.receive(try world.accept(proposal), for: proposal.id)
      let batch = try #require(reader.poll(cursor))
      #expect(batch.unconfirmedItems == unconfirmed)
      let reconfigured = batch.difference.itemReconfigures.map(
        batch.snapshot.itemIdentifier(for:))
      #expect(!reconfigured.contains(2))
    }
    #expect(world.list.overlay.core.snapshot.itemIdentifiers == [1, 4, 2, 3, 5])
  }
}
