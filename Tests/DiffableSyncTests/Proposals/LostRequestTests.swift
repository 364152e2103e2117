import ListSupport
import Testing

@testable import Diffable
@testable import DiffableSync

/// A request may get lost on its way to the owner, an answer on its way back, and the app may end.
@Suite("What becomes of a change is told as if it had been sent once") struct LostRequestTests {
  private typealias Batch = UpdateBatch<Int, Int>
  private typealias World = OwnerAndMirror<Batch>
  private typealias Edit = @Sendable (inout Snapshot<Int, Int>) throws -> Void

  /// What the user does last.
  enum Change: CaseIterable { case edit, undo, redo }

  private enum Loss {
    case request, answer
    /// The app ends, and begins again with what it has stored.
    case life
  }

  private static let mine: [Edit] = [
    { list in
      try list.moveItem(1, afterItem: 4)
      try list.insertItems([9], afterItem: 2)
    },
    { list in
      try list.moveItem(2, beforeItem: 1)
      list.deleteItems([1])
    },
    { list in
      try list.renameItem(1, to: 10)
      try list.moveItem(3, beforeItem: 10)
    },
  ]

  /// What others do with a row, which may have another name by then.
  private static let theirs: [@Sendable (inout Snapshot<Int, Int>, Int) throws -> Void] = [
    { try $0.moveItem($1, afterItem: 3) }, { $0.deleteItems([$1]) },
    { try $0.renameItem($1, to: 100) },
  ]

  /// The same in a tree with folded rows: 1 above 2 above 3, and 4 above 5.
  private static let mineInTrees: [Edit] = [
    { list in
      try list.moveItem(1, intoItem: 4)
      try list.appendItems([9], toItem: 5)
    },
    { list in
      list.expandItems([2])
      try list.moveItem(3, beforeItem: 4)
      list.deleteItems([1])
      try list.appendItems([9], toItem: 5)
    },
    { list in
      try list.renameItem(1, to: 10)
      list.collapseItems([10])
      try list.moveItem(5, beforeItem: 10)
      try list.appendItems([9], toItem: 5)
    },
  ]

  private static let theirsInTrees: [@Sendable (inout Snapshot<Int, Int>, Int) throws -> Void] = [
    { try $0.moveItem($1, toSection: 0) }, { $0.deleteItems([$1]) },
    { try $0.renameItem($1, to: 100) }, { $0.collapseItems([$1]) },
    { try $0.appendItems([8], toItem: $1) },
  ]

  private static func world(isTree: Bool) throws -> World {
    guard isTree else { return try World(1...4) }
    return try World(.ofNumbers()) { list in
      list.appendSections([0])
      try list.setOutline(
        Outline([1, 2, 3, 4, 5], levels: [0, 1, 2, 0, 1], expanding: [1]), forSection: 0)
    }
  }

  /// What there is at the end.
  private struct End: Equatable {
    /// What is told of each change that is decided on; `nil` if it has failed.
    var told: [[MergeConflict<Int, Int>]?]
    var live: Snapshot<Int, Int>
    var shown: Snapshot<Int, Int>
  }

  private func end(
    _ change: Change, _ mine: @escaping Edit,
    _ theirs: (inout Snapshot<Int, Int>, Int) throws -> Void, isTree: Bool, isDelivered: Bool,
    losing: [Loss]
  ) throws -> End {
    var world = try Self.world(isTree: isTree)
    try world.edit(mine)
    let directions: [UndoDirection] = [.undo, .redo]
    for direction in directions.prefix(change == .edit ? 0 : change == .undo ? 1 : 2) {
      try world.send()
      _ = try world.list.reverse(direction, .animated)
    }
    let told = Told(of: world.list)
    let live = world.server.snapshot
    if let row = [1, 10].first(where: live.containsItem) {
      try world.write { try theirs(&$0, row) }
    }
    if isDelivered { try world.deliver() }
    var losses = losing[...]
    while true {
      while losses.first == .life {
        losses.removeFirst()
        try world.restart()
      }
      guard let proposal = world.list.next() else { break }
      switch losses.popFirst() {
      case .request, .life: world.list.fail(proposal.id)
      case .answer:
        _ = try world.accept(proposal)
        world.list.fail(proposal.id)
      case nil: world.list.receive(try world.accept(proposal), for: proposal.id)
      }
    }
    try world.deliver()
    #expect(world.list.undecided.isEmpty)
    return End(
      told: told.conflicts, live: world.server.snapshot,
      shown: world.list.overlay.core.snapshot)
  }

  @Test(arguments: Change.allCases, [false, true])
  func `Requests and answers get lost, before the stream and behind it`(
    change: Change, isDelivered: Bool
  ) throws {
    for (number, mine) in Self.mine.enumerated() {
      for (other, theirs) in Self.theirs.enumerated() {
        let once = try endOnce(
          change, mine, theirs, isDelivered: isDelivered, "\(number), \(other)")
        if change == .undo, isDelivered, number == 0, other == 0 {
          // The row stays where others have put it, and the new row goes.
          #expect(once.told[0]?.contains(.item(1, .movedTwice)) == true)
          #expect(once.live.itemIdentifiers == [2, 3, 1, 4])
        }
      }
    }
  }

  @Test(arguments: Change.allCases, [false, true])
  func `The same in trees, whose rows get other parents while they are folded`(
    change: Change, isDelivered: Bool
  ) throws {
    for (number, mine) in Self.mineInTrees.enumerated() {
      for (other, theirs) in Self.theirsInTrees.enumerated() {
        _ = try endOnce(
          change, mine, theirs, isTree: true, isDelivered: isDelivered, "\(number), \(other)")
      }
    }
  }

  /// The end if nothing gets lost; whatever gets lost, it is the same.
  private func endOnce(
    _ change: Change, _ mine: @escaping Edit,
    _ theirs: (inout Snapshot<Int, Int>, Int) throws -> Void, isTree: Bool = false,
    isDelivered: Bool, _ comment: Comment
  ) throws -> End {
    func end(losing losses: [Loss]) throws -> End {
      try self.end(change, mine, theirs, isTree: isTree, isDelivered: isDelivered, losing: losses)
    }
    let once = try end(losing: [])
    try #require(once.told.count == 1, comment)
    #expect(once.live == once.shown, comment)
    var cases: [[Loss]] = [
      [.request], [.answer], [.request, .answer], [.request, .life], [.answer, .life],
    ]
    // An edit that was not sent runs once more, and what is stored is what it has made.
    if change != .edit { cases += [[.life], [.life, .request, .life]] }
    for losses in cases {
      let again = try end(losing: losses)
      #expect(again == once, "\(comment), without \(losses)")
    }
    return once
  }

  @Test(
    "What others have done after it contradicts nothing, also if the list begins again in between",
    arguments: [false, true], [false, true])
  func fromScratch(isLater: Bool, isRestarted: Bool) throws {
    var world = try World(1...4)
    let told = Told(of: world.list)
    try world.edit { try $0.moveItem(1, afterItem: 4) }
    let proposal = try #require(world.list.next())
    if !isLater { try world.write { try $0.moveItem(1, afterItem: 3) } }
    _ = try world.accept(proposal)
    world.list.fail(proposal.id)
    if isLater { try world.write { try $0.moveItem(1, afterItem: 3) } }
    try world.reset()
    if isRestarted { try world.restart() }
    try world.send()
    #expect(told.conflicts == [isLater ? [] : [.item(1, .movedTwice)]])
    #expect(world.server.snapshot.itemIdentifiers == (isLater ? [2, 3, 1, 4] : [2, 3, 4, 1]))
    #expect(world.list.overlay.core.snapshot == world.server.snapshot)
    #expect(world.list.undecided.isEmpty)
  }

  @Test(
    "What it has contradicted before is told, also if the list begins again, and the app",
    arguments: [false, true])
  func foundBefore(isRestarted: Bool) throws {
    var world = try World(1...4)
    try world.edit(Self.mine[0])
    try world.send()
    _ = try world.list.reverse(.undo, .animated)
    let told = Told(of: world.list)
    try world.write { try Self.theirs[0](&$0, 1) }
    try world.deliver()
    // The row stays where others have put it. The owner is not told that the user wanted it elsewhere.
    let proposal = try #require(world.list.next())
    let answer = try world.accept(proposal)
    #expect(answer.acceptance?.conflicts == [])
    world.list.fail(proposal.id)
    try world.reset()
    if isRestarted { try world.restart() }
    try world.send()
    let all = told.acceptances.map(\.conflicts)
    #expect(all.count == 1 && all[0].contains(.item(1, .movedTwice)))
    #expect(world.list.undecided.isEmpty)
  }

  @Test(
    "What is taken back is what the owner has made, also if the list begins again in between",
    arguments: [0, 1, 2, 3], [false, true])
  func undoneFromScratch(restarts: Int, isMoved: Bool) throws {
    // Where others have moved the row, the edit shows until the answer comes.
    for (isRestartedBefore, isAnswered) in [(false, true), (true, true), (false, false)]
    where isAnswered || !isMoved {
      var world = try World(1...4)
      try world.edit { try $0.insertItems([9], afterItem: 2) }
      let proposal = try #require(world.list.next())
      _ = try world.accept(proposal)
      world.list.fail(proposal.id)
      if isRestartedBefore { try world.restart() }
      try world.write { list in
        if isMoved {
          try list.moveItem(9, afterItem: 4)
        } else {
          try list.insertItems([5], afterItem: 4)
        }
      }
      try world.reset()
      // The list has the row already: an edit that nobody has contradicted is nothing by now.
      for number in 0..<restarts {
        if number > 0 { world.list.fail(try #require(world.list.next()).id) }
        try world.restart()
      }
      if isAnswered { try world.send() }
      let comment: Comment = "\(isRestartedBefore), \(isAnswered)"
      let before = isMoved ? [1, 2, 3, 4, 9] : [1, 2, 9, 3, 4, 5]
      #expect(world.list.overlay.core.snapshot.itemIdentifiers == before, comment)
      #expect(try world.list.reverse(.undo, .animated)?.name == "mine", comment)
      let after = before.filter { $0 != 9 }
      #expect(world.list.overlay.core.snapshot.itemIdentifiers == after, comment)
      try world.send()
      #expect(world.server.snapshot.itemIdentifiers == after, comment)
      #expect(world.list.overlay.core.snapshot == world.server.snapshot, comment)
    }
  }
}
