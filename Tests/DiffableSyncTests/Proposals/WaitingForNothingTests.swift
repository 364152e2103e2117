import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// An edit that makes nothing at present is stored like any other, and has one outcome.
@Suite("Edits that wait for what is not there") struct WaitingForNothingTests {
  typealias World = MirroredUndoTests.World
  typealias Batch = MirroredUndoTests.Batch
  typealias Row = MirroredUndoTests.Row
  typealias Fields = TakingBack.Fields

  /// What others make of the row while an edit of it waits.
  enum Deed: CaseIterable { case delete, same }

  @Test("It is stored, comes again with its row, and is decided on once", arguments: Deed.allCases)
  func stored(deed: Deed) throws {
    for restarts in 0...2 {
      for isBack in [false, true] where deed != .same || !isBack {
        var world = try World(hasHandler: false)
        let told = Told(of: world.list)
        try world.edit(Fields(first: 1))
        try world.edit { draft in
          var row = Row()
          row.id = 2
          try draft.appendItems([row], toSection: 0)
        }
        let names = world.list.undecided.map(\.id)
        try world.write { draft in
          if deed == .same { draft.setModel(Row(Fields(first: 1))) } else { draft.deleteItems([1]) }
        }
        try world.deliver()
        let comment: Comment = "\(deed), \(restarts) restarts, back: \(isBack)"
        #expect(world.list.stored?.count == 2, comment)
        #expect(world.list.undecided.map(\.id) == names, comment)
        for _ in 0..<restarts {
          try world.restart()
          #expect(world.list.stored?.count == 2, comment)
          #expect(world.list.undecided.map(\.id) == names, comment)
        }
        if isBack { try world.write { try $0.appendItems([Row()], toSection: 0) } }
        try world.deliver()
        #expect(world.shown?.first == (isBack || deed == .same ? 1 : nil), comment)
        try world.send()
        #expect(world.live?.first == (isBack || deed == .same ? 1 : nil), comment)
        #expect(world.shown == world.live, comment)
        #expect(world.server.snapshot.containsItem(2), comment)
        #expect(told.ids == names, comment)
        #expect(world.list.undecided.isEmpty && world.list.stored?.count == 0, comment)
        // What made nothing is no step.
        _ = try world.list.reverse(.undo, .animated)
        #expect((world.list.steps.next(.undo)?.name == nil) == !isBack, comment)
        try world.send()
        #expect(!world.server.snapshot.containsItem(2), comment)
      }
    }
  }

  @Test("An undo says what it takes back, also after a restart", arguments: [false, true])
  func reverses(isRestarted: Bool) throws {
    var world = try World(hasHandler: false)
    try world.edit(Fields(first: 1))
    let change = try #require(world.list.undecided.first)
    let proposal = try #require(world.list.next())
    _ = try world.list.reverse(.undo, .animated)
    let undo = try #require(world.list.undecided.last)
    #expect(ProposedWrite(undo).reverses == change.id && ProposedWrite(change).reverses == nil)
    if isRestarted {
      try world.restart()
      #expect(world.list.undecided.map(\.reverses) == [nil, change.id])
    } else {
      world.list.receive(try world.accept(proposal), for: proposal.id)
    }
    #expect(world.list.steps.next(.undo)?.name == nil)
    try world.send()
    #expect(world.live == Fields())
    _ = try world.list.reverse(.redo, .animated)
    #expect(world.list.undecided.map(\.reverses) == [undo.id])
    try world.send()
    #expect(world.live == Fields(first: 1))
    #expect(world.list.steps.next(.undo)?.name == "mine")
  }
}
