import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// An undo brings back what the owner had before the change, whatever the mirror had shown.
@Suite("Undo of a change that others had made something of before it arrived")
struct OverruledUndoTests {
  typealias World = MirroredUndoTests.World
  typealias Row = MirroredUndoTests.Row
  typealias Fields = TakingBack.Fields

  /// What the user of the mirror does, and what others do.
  enum Deed: CaseIterable {
    case nothing
    /// Sets the first field to what both want.
    case same
    case own
    case elsewhere
    case delete
  }

  /// When the owner gets the change, and the mirror the answer.
  enum Way: CaseIterable {
    case answerFirst
    case streamFirst
    /// The answer leaves the rest to the stream.
    case shortAnswer
    /// The answer is lost, and the owner is asked again.
    case lostAnswer
    /// The user takes the change back before there is an answer.
    case undoneBefore
    case undoneAndLost
    /// The user takes it back, makes that undone, and takes it back again before there is an answer.
    case undoneTwice
    /// The user takes it back while its answer is on the way, and the app ends.
    case undoneAndRestarted
    /// The app ends before the change is sent.
    case restarted
    /// The app ends when the owner has made the change, and the answer is on its way.
    case restartedAfter

    var isUndoneBefore: Bool {
      [.undoneBefore, .undoneAndLost, .undoneTwice, .undoneAndRestarted].contains(self)
    }
  }

  /// The list of the owner in plain values; it knows nothing of snapshots and merges.
  struct Naive {
    let hasHandler: Bool
    var live: Fields? = Fields()
    typealias Change = (before: Fields?, after: Fields?)

    func made(by deed: Deed, of fields: Fields?, _ number: Int) -> Fields? {
      guard var fields else { return nil }
      switch deed {
      case .nothing: break
      case .same: fields.first = 1
      case .own: fields.first = number
      case .elsewhere: fields.second = number
      case .delete: return nil
      }
      return fields
    }

    /// What the owner makes of a change whose writer has seen the first state.
    mutating func accept(_ mine: Fields?) -> Change {
      let before = live
      if let theirs = live, let mine, hasHandler {
        live = TakingBack.merged(base: Fields(), theirs: theirs, mine: mine)
      } else if live != nil {
        live = mine
      }
      return (before, live)
    }

    mutating func take(back change: Change) -> Change {
      let before = live
      if change.before == change.after { return (live, live) }
      if live == change.after {
        live = change.before
      } else if let former = change.before, let written = change.after, let now = live, hasHandler {
        live = TakingBack.merged(base: written, theirs: former, mine: now)
      }
      return (before, live)
    }
  }

  @Test(
    "Every change of both, before and after the owner has it, taken back and made again",
    arguments: Way.allCases)
  func everySequence(way: Way) throws {
    var number = 0
    for hasHandler in [false, true] {
      for mine in [Deed.same, .delete] {
        for theirs in Deed.allCases {
          for later in Deed.allCases where later != .same {
            number += 1
            guard isInScope(number, usual: 11, wide: 3) else { continue }
            try check(way, hasHandler: hasHandler, mine, theirs, later)
          }
        }
      }
    }
  }

  private func check(
    _ way: Way, hasHandler: Bool, _ mine: Deed, _ theirs: Deed, _ later: Deed
  ) throws {
    let comment: Comment =
      "\(way), handler: \(hasHandler), mine: \(mine), theirs: \(theirs), later: \(later)"
    var (world, naive) = (try World(hasHandler: hasHandler), Naive(hasHandler: hasHandler))
    func write(_ deed: Deed, _ number: Int) throws {
      guard deed != .nothing, naive.live != nil else { return }
      naive.live = naive.made(by: deed, of: naive.live, number)
      try world.write { [live = naive.live] draft in
        if let live { draft.setModel(Row(live)) } else { draft.deleteItems([1]) }
      }
    }
    let edited = naive.made(by: mine, of: Fields(), 1)
    try world.edit { draft in
      if let edited { draft.setModel(Row(edited)) } else { draft.deleteItems([1]) }
    }
    try write(theirs, 2)
    let change = naive.accept(edited)

    if way == .restarted { try world.restart() }
    let proposal = try #require(world.list.next(), comment)
    if way == .streamFirst, theirs != .nothing { try world.deliver() }
    if way.isUndoneBefore {
      for direction in way == .undoneTwice ? [UndoDirection.undo, .redo, .undo] : [.undo] {
        #expect(try world.list.reverse(direction, .animated) != nil, comment)
      }
    }
    let answer = try world.accept(proposal)
    #expect(world.live == naive.live, comment)
    #expect(
      (world.server.hub.nextChange(.undo, .named) == nil) == (change.before == change.after),
      comment)
    switch way {
    case .answerFirst, .undoneBefore, .undoneTwice, .restarted:
      world.list.receive(answer, for: proposal.id)
    case .streamFirst:
      try world.deliver()
      world.list.receive(answer, for: proposal.id)
    case .shortAnswer: world.list.receive(answer.withoutDelta, for: proposal.id)
    case .lostAnswer, .undoneAndLost: world.list.fail(proposal.id)
    case .restartedAfter, .undoneAndRestarted: try world.restart()
    }
    try write(later, 3)
    if !way.isUndoneBefore {
      try world.deliver()
      try world.send()
      #expect(
        (world.list.steps.next(.undo)?.name == nil) == (change.before == change.after), comment)
      _ = try world.list.reverse(.undo, .animated)
    }
    let undo = naive.take(back: change)
    if !way.isUndoneBefore { #expect(world.shown == naive.live, comment) }
    try world.send()
    #expect(world.live == naive.live && world.shown == naive.live, comment)
    #expect((world.list.steps.next(.redo)?.name == nil) == (undo.before == undo.after), comment)
    _ = try world.list.reverse(.redo, .animated)
    _ = naive.take(back: undo)
    #expect(world.shown == naive.live, comment)
    try world.send()
    #expect(world.live == naive.live && world.shown == naive.live, comment)
    #expect(world.list.overlay.pending.isEmpty, comment)
  }

  // MARK: Places, sections and answers that are short or negative

  @Test(
    "A row goes back to where others had put it, and comes back there", arguments: [false, true])
  func places(isDeleted: Bool) throws {
    for way in LatePlaces.Way.allCases {
      for theirs in 0..<2 {
        var world = try LatePlaces(way)
        try world.edit { list in
          if isDeleted { list.deleteItems([1]) } else { try list.moveItem(1, afterItem: 4) }
        }
        try world.write { list in
          // Among the others, and with one more row.
          let rest = list.itemIdentifiers.filter { $0 != 1 }
          try list.moveItem(1, afterItem: rest[theirs])
          try list.insertItems([9], beforeItem: 1)
        }
        let others = world.server.snapshot
        try world.send()
        #expect(world.server.snapshot != others)
        #expect(try world.list.reverse(.undo, .animated) != nil)
        let comment: Comment = "\(way), \(theirs): \(world.server.snapshot)"
        #expect(world.list.overlay.core.snapshot == others, comment)
        try world.send()
        #expect(world.server.snapshot == others, comment)
        _ = try world.list.reverse(.redo, .animated)
        try world.send()
        let made = world.server.snapshot
        #expect(isDeleted ? !made.containsItem(1) : made.itemIdentifiers.last == 1, comment)
      }
    }
  }

  @Test(
    "What others had changed before stays, also if the owner no longer knows what that was",
    arguments: [false, true])
  func forgotten(isForgotten: Bool) throws {
    var world = try LatePlaces(.lostAnswer)
    try world.edit { try $0.moveItem(1, afterItem: 3) }
    let proposal = try #require(world.list.next())
    try world.write { $0.deleteItems([4]) }
    try world.deliver()
    _ = try world.accept(proposal)
    try world.deliver()
    world.list.fail(proposal.id)
    for _ in 0...(isForgotten ? world.server.hub.historyLength : 0) {
      try world.write { try $0.reloadItems([2]) }
      try world.deliver()
    }
    #expect(world.list.next()?.id == proposal.id)
    let answer = try world.accept(proposal)
    #expect((answer.acceptance?.reverse == nil) == isForgotten)
    world.list.receive(answer, for: proposal.id)
    #expect(world.list.undecided.isEmpty)
    _ = try world.list.reverse(.undo, .animated)
    #expect(world.list.overlay.core.snapshot.itemIdentifiers == [1, 2, 3])
    try world.send()
    #expect(world.server.snapshot.itemIdentifiers == [1, 2, 3])
  }

  @Test("What the owner calls otherwise is taken back under its new name")
  func renamed() throws {
    for way in LatePlaces.Way.allCases {
      var world = try LatePlaces(way)
      world.decide = { change, list in
        for case .insertItem(let id, _) in change.changes { try list.renameItem(id, to: id + 100) }
      }
      try world.edit { try $0.insertItems([5], afterItem: 2) }
      try world.write { list in
        try list.renameItem(3, to: 30)
        list.deleteItems([1])
      }
      let others = world.server.snapshot
      try world.send()
      #expect(world.server.snapshot.itemIdentifiers == [2, 105, 30, 4], "\(way)")
      _ = try world.list.reverse(.undo, .animated)
      try world.send()
      #expect(world.server.snapshot == others, "\(way)")
      #expect(world.list.overlay.core.snapshot == others, "\(way)")
    }
  }

  @Test("What others rename before and after the change is taken back under its last name")
  func renamedByOthers() throws {
    for way in LatePlaces.Way.allCases {
      var world = try LatePlaces(way)
      try world.edit { try $0.moveItem(3, beforeItem: 1) }
      try world.write { try $0.renameItem(3, to: 30) }
      try world.send()
      #expect(world.server.snapshot.itemIdentifiers == [30, 1, 2, 4], "\(way)")
      try world.write { try $0.renameItem(30, to: 300) }
      try world.deliver()
      _ = try world.list.reverse(.undo, .animated)
      try world.send()
      #expect(world.server.snapshot.itemIdentifiers == [1, 2, 300, 4], "\(way)")
      #expect(world.list.overlay.core.snapshot == world.server.snapshot, "\(way)")
    }
  }

  @Test("A change that is refused is no step, and its undo that waits makes nothing")
  func refused() throws {
    for (isUndoneBefore, isRedone) in [(false, false), (true, false), (true, true)] {
      var world = try LatePlaces(.answer)
      world.decide = { _, _ in throw Refusal(code: "no", reason: "No.") }
      try world.edit { $0.deleteItems([1]) }
      let proposal = try #require(world.list.next())
      if isUndoneBefore { _ = try world.list.reverse(.undo, .animated) }
      world.list.receive(try world.accept(proposal), for: proposal.id)
      if isRedone { _ = try world.list.reverse(.redo, .animated) }
      // Others make what was refused.
      try world.write { $0.deleteItems([1]) }
      try world.send()
      #expect(world.list.steps.next(.undo)?.name == nil)
      #expect(try world.list.reverse(.undo, .animated) == nil)
      try world.send()
      #expect(world.server.snapshot.itemIdentifiers == [2, 3, 4])
      #expect(world.list.overlay.core.snapshot == world.server.snapshot)
    }
  }

  @Test("Nobody is asked for an undo of which nothing is left") func gone() throws {
    var world = try LatePlaces(.answer)
    try world.edit { try $0.insertItems([5], afterItem: 2) }
    try world.send()
    try world.write { $0.deleteItems([5]) }
    try world.send()
    _ = try world.list.reverse(.undo, .animated)
    #expect(world.list.undecided.isEmpty && world.list.next() == nil)
    #expect(world.list.overlay.core.snapshot.itemIdentifiers == [1, 2, 3, 4])
  }

  @Test("Undo, the answer, redo, undo: that takes back what the owner has made")
  func undoneAfterAnswer() throws {
    var world = try LatePlaces(.answer)
    world.decide = { change, list in
      for case .insertItem(let id, _) in change.changes {
        try list.insertItems([id + 100], afterItem: id)
      }
    }
    try world.edit { try $0.insertItems([5], afterItem: 2) }
    let proposal = try #require(world.list.next())
    _ = try world.list.reverse(.undo, .animated)
    world.list.receive(try world.accept(proposal), for: proposal.id)
    func shown() -> [Int] { world.list.overlay.core.snapshot.itemIdentifiers }
    #expect(shown() == [1, 2, 3, 4])
    #expect(try world.list.reverse(.redo, .animated)?.name == "mine")
    #expect(shown() == [1, 2, 5, 105, 3, 4])
    #expect(try world.list.reverse(.undo, .animated)?.name == "mine")
    #expect(shown() == [1, 2, 3, 4])
    try world.send()
    #expect(world.server.snapshot.itemIdentifiers == [1, 2, 3, 4])
  }
}
