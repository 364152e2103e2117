import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

@Suite("What changes that wait, and steps of undo, remember of others")
struct RememberedRowTests {
  @Test("A change that waits for long remembers no more than its rows and a few thousand others")
  func bound() throws {
    var road = try OwnerAndMirror(1...3)
    try road.edit { try $0.moveItem(1, afterItem: 3) }
    let edit = try #require(road.list.undecided.first)
    // The rows of others come, get other names and places, and go.
    let count = 250
    var most = 0
    for round in 1...14 {
      let rows = round * 1_000..<round * 1_000 + count
      try road.write { try $0.appendItems(Array(rows)) }
      try road.write { list in
        for row in rows {
          try list.renameItem(row, to: row + 500)
          try list.moveItem(row + 500, beforeItem: 2)
        }
        if round == 1 {
          try list.renameItem(3, to: 30)
          try list.moveItem(2, afterItem: 30)
        }
      }
      try road.write { list in list.deleteItems(rows.map { $0 + 500 }) }
      try road.deliver()
      most = max(most, edit.others.renames.inOrder.count, edit.others.placed.count)
    }
    #expect(most > count && most <= 2 * 1_024 + 2 * count)
    #expect(edit.others.renames.newName(of: 3) == 30)
    #expect(edit.others.placed.items.contains(2))
    #expect(road.list.overlay.core.snapshot.itemIdentifiers == [30, 1, 2])
    try road.send()
    #expect(road.server.snapshot == road.list.overlay.core.snapshot)
  }

  @Test(
    "A change that waits finds a row that an accepted one has renamed, whatever others call it",
    arguments: [1, 20, 30], [false, true])
  func givenName(name: Int, isUndo: Bool) throws {
    var road = try OwnerAndMirror(1...3)
    if isUndo {
      try road.edit { try $0.moveItem(1, afterItem: 3) }
      try road.send()
    }
    try road.edit(named: nil) { try $0.renameItem(1, to: 20) }
    let (proposal, base) = (try #require(road.list.next()), road.server.revision)
    _ = try road.accept(proposal)
    if name != 20 { try road.write { try $0.renameItem(20, to: name) } }
    if isUndo {
      _ = try road.list.reverse(.undo, .animated)
    } else {
      try road.edit { try $0.moveItem(20, afterItem: 3) }
    }
    // One delta has the accepted change and that of others.
    let reader = RevisionReader<Int, Int>(hub: road.server.hub)
    let batch = try #require(reader.batch(since: base, limit: .max))
    _ = try road.list.apply { () throws(DeltaError) in UpdateDelta(batch) }
    let shown = road.list.overlay.core.snapshot.itemIdentifiers
    #expect(shown == (isUndo ? [name, 2, 3] : [2, 3, name]))
  }

  @Test("A change that waits finds a row whose new name was refused")
  func refusedName() throws {
    var road = try OwnerAndMirror(1...3)
    try road.edit(named: nil) { try $0.renameItem(1, to: 20) }
    try road.edit { try $0.moveItem(20, afterItem: 3) }
    let proposal = try #require(road.list.next())
    road.list.receive(.refused(Refusal(code: "no", reason: "No.")), for: proposal.id)
    #expect(road.list.overlay.core.snapshot.itemIdentifiers == [2, 3, 1])
    try road.send()
    #expect(road.server.snapshot.itemIdentifiers == [2, 3, 1])
  }

  @Test("A step of undo keeps no names of the changes that were accepted after it")
  func accepted() throws {
    var road = try OwnerAndMirror<UpdateBatch<Int, Int>>(.ofNumbers()) { $0.appendSections([0]) }
    try road.edit { try $0.appendItems([1]) }
    try road.send()
    let step = try #require(road.list.steps.next(.undo))
    for item in 2..<100 {
      try road.edit(named: nil) { try $0.appendItems([item]) }
      try road.send()
    }
    let notes = road.list.overlay.core.hub.notes(after: step.revision)
    #expect(!notes.isEmpty)
    #expect(notes.allSatisfy { TypedRevisionNotes<Int, Int>.of($0).proposals.isEmpty })
    _ = try road.list.reverse(.undo, .animated)
    try road.send()
    #expect(road.server.snapshot.itemIdentifiers == Array(2..<100))
  }

  @Test(
    "Renames of rows that nobody shows cost a few questions each, although several changes wait",
    .enabled(if: !checksInvariants))
  func unknownRows() throws {
    func questions(_ count: Int) throws -> Int {
      let counter = IdentifierCounter()
      func item(_ number: Int) -> CountedIdentifier {
        CountedIdentifier(number: number, counter: counter)
      }
      let (first, second) = (item(1), item(2))
      let kernels = Snapshot<Int, CountedIdentifier>.makeKernels()
      let server = SourceCore<Int, CountedIdentifier>(
        SourceOptions(), kernels: kernels, children: nil)
      let list = EditedList<UpdateBatch<Int, CountedIdentifier>>.unread(kernels)
      try server.begin(with: [first, second], in: 0)
      let whole = server.whole
      _ = try list.apply { () throws(DeltaError) in whole }
      for _ in 0..<4 {
        _ = try list.add(
          { state, _, _ in
            try state.moveItem(second, beforeItem: first)
            return Contradictions()
          }, named: nil, .animated)
      }
      try server.write { try $0.reloadItems([first]) }
      let reader = RevisionReader<Int, CountedIdentifier>(hub: server.hub)
      let honest = UpdateDelta(try #require(reader.batch(since: Revision(1), limit: .max)))
      let forged = UpdateDelta(
        frame: honest.frame, sections: honest.sections, items: honest.items,
        outlines: honest.outlines,
        renamedItems: (10..<10 + count).map {
          ItemRename(old: item($0), new: item($0 + 100_000))
        }, placed: honest.placed, droppedItems: [], droppedSections: [])
      counter.reset()
      _ = try list.apply { () throws(DeltaError) in forged }
      return counter.hashCount + counter.comparisonCount
    }
    let (few, many) = (try questions(100), try questions(1_000))
    #expect(many < 20 * few, "\(few) for 100 renames, \(many) for 1,000")
  }
}
