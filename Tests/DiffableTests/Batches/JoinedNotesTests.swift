import Testing

@testable import Diffable

@Suite("What several revisions say together") struct JoinedNotesTests {
  private typealias Notes = TypedRevisionNotes<Int, Int>

  @Test("What the last one says is not confirmed, and all proposals that one has accepted")
  func joined() {
    let sets: [Set<Int>?] = [nil, [], [1], [2]]
    for first in sets {
      for second in sets {
        for third in sets {
          let notes = [first, second, third].map { set in
            var contents = Notes.Contents()
            (contents.unconfirmedItems, contents.proposals) = (set, [WriteID()])
            return Notes(contents)
          }
          let joined = Notes.of(
            notes[0].joined(with: notes.dropFirst().map { $0 as any RevisionNotes })
          ).contents
          #expect(joined.unconfirmedItems == third ?? second ?? first)
          #expect(joined.proposals == notes.flatMap(\.proposals))
        }
      }
    }
  }

  @Test("Names lead from the first to the last, and what is dropped or marked is told once")
  func names() {
    func notes(_ old: Int, _ new: Int) -> Notes {
      var contents = Notes.Contents()
      contents.marks.reload(items: [old])
      contents.marks.rename([ItemRename(old: old, new: new)])
      contents.baseRenames.formUnion([ItemRename(old: old, new: new)])
      (contents.droppedItems, contents.droppedSections) = ([7, old], [8, old])
      return Notes(contents)
    }
    let all = [notes(1, 2), notes(2, 3), notes(3, 4)]
    let joined = Notes.of(all[0].joined(with: all.dropFirst().map { $0 as any RevisionNotes }))
    #expect(joined.contents.baseRenames.inOrder == [ItemRename(old: 1, new: 4)])
    #expect(joined.marks.renames.inOrder == [ItemRename(old: 1, new: 4)])
    #expect(joined.marks.reloadedItems.inOrder == [4])
    #expect(joined.contents.droppedItems == [7, 1, 2, 3])
    #expect(joined.contents.droppedSections == [8, 1, 2, 3])
  }

  @Test("Of very many proposals, the newest are kept for a subscriber that has stopped reading")
  func proposals() throws {
    let core = SourceCore<Int, Int>(
      SourceOptions(history: 0), kernels: Snapshot<Int, Int>.makeKernels(), children: nil)
    var all: [WriteID] = []
    func accept() throws {
      let some = (0..<500).map { _ in WriteID() }
      all += some
      try core.begin(ifRevision: nil)
      core.transact(.animated) { core.live.unchanged.accepting(some) }
    }
    try accept()
    let cursor = CursorToken(hub: core.hub, policy: .coalesced, after: core.revision)
    for _ in 0..<120 { try accept() }
    let told = core.hub.notes(after: Revision(1)).flatMap { Notes.of($0).proposals }
    #expect(told == all.suffix(told.count))
    // Some that are not joined yet come on top.
    #expect((Notes.mostProposals..<2 * Notes.mostProposals).contains(told.count))
    withExtendedLifetime(cursor) {}
  }
}
