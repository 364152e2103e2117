import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable

@Suite("Batches are values that can be compared and read")
struct UpdateBatchTests {
  typealias List = Snapshot<String, String>
  typealias Batch = UpdateBatch<String, String>

  @Test("batches differ when any part of them does")
  func equality() throws {
    let batch = try UpdateBatch(from: List("A[a]"), to: List("A[a b]"))
    let edits: [@Sendable (inout Batch) -> Void] = [
      { $0.epoch = Epoch() }, { $0.base = nil }, { $0.target = Revision(9) },
      {
        $0.difference.itemDeletes = []; $0.difference.itemInserts = []
      },
      { $0.previousSnapshot = nil }, { $0.snapshot = List() }, { $0.presentation = .immediate },
      { $0.droppedItems = ["x"] }, { $0.droppedSections = ["y"] },
      { $0.renamedItems = [ItemRename(old: "x", new: "a")] }, { $0.proposals = [WriteID()] },
      { $0.unconfirmedItems = ["a"] },
    ]
    #expect(batch == batch)
    for edit in edits {
      var other = batch
      edit(&other)
      #expect(other != batch)
    }
  }

  @Test("the description is one compact line")
  func descriptions() throws {
    var batch = try UpdateBatch(
      from: List("A[a b c] B[] C[] D[d]"), to: List("C[c] A[b~ a* x] B[]"))
    batch.difference.itemMoves = []
    batch.droppedItems = ["d"]
    batch.droppedSections = ["D"]
    #expect(
      batch.description
        == "r1→r2 -§3 §2→0 +1:2 *0:0 ~1:0 ⇒ C[c] A[b a x] B[], dropped: §D d")
    #expect(SnapshotDifference().description == "∅")
    #expect(try Batch(showing: List("A[a]"), target: Revision(7)).description == "reset→r7 ⇒ A[a]")
  }
}

@Suite("The changes of a batch, one by one") struct ListChangeTests {
  typealias List = Snapshot<Int, Int>
  typealias Change = ListChange<Int, Int>

  /// Arrays that changes are made in.
  private struct Arrays: Equatable {
    var sections: [(id: Int, items: [Int])] = []

    init(_ list: List?) {
      sections = (list?.sectionIdentifiers ?? []).map {
        ($0, list?.itemIdentifiers(inSection: $0) ?? [])
      }
    }

    static func == (left: Arrays, right: Arrays) -> Bool {
      left.sections.elementsEqual(right.sections) { $0 == $1 }
    }

    /// Makes a change, if it is about what stands there.
    mutating func make(_ change: Change) -> Bool {
      switch change {
      case .deleteSection(let id, let index):
        return sections.remove(at: index).id == id
      case .insertSection(let id, let items, let index):
        sections.insert((id, items), at: index)
      case .moveSection(let id, let from, let to):
        let section = sections.remove(at: from)
        sections.insert(section, at: to)
        return section.id == id
      case .updateSection(let id, let index): return sections[index].id == id
      case .deleteItem(let id, let path):
        return sections[path.section].items.remove(at: path.item) == id
      case .insertItem(let id, let path):
        sections[path.section].items.insert(id, at: path.item)
      case .moveItem(let id, let from, let to):
        let item = sections[from.section].items.remove(at: from.item)
        sections[to.section].items.insert(item, at: to.item)
        return item == id
      case .renameItem(let from, let to, let path):
        let former = sections[path.section].items[path.item]
        sections[path.section].items[path.item] = to
        return former == from
      case .updateItem(let id, let path): return sections[path.section].items[path.item] == id
      }
      return true
    }
  }

  @Test("made in arrays they lead to the new state", arguments: SnapshotChange.allCases)
  func replay(change: SnapshotChange) throws {
    for seed in 0..<UInt64(rounds(40)) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      var batches = BatchSequence<Int, Int>()
      for step in 0..<4 {
        let new =
          step == 0
          ? generator.snapshot(.anyOf(sections: 5, items: 20))
          : generator.changing(batches.snapshot, by: change)
        var batch = try batches.next(new)
        if seed % 7 == 6 { batch.presentation = .reset }
        var arrays = Arrays(batch.previousSnapshot)
        for change in batch.changes {
          let isRight = arrays.make(change)
          #expect(isRight, "\(change), seed \(seed), step \(step): \(batch)")
        }
        #expect(arrays == Arrays(batch.snapshot), "seed \(seed), step \(step): \(batch)")
      }
      var arrays = Arrays(nil)
      for change in try batches.reset().changes {
        let isRight = arrays.make(change)
        #expect(isRight, "\(change), seed \(seed)")
      }
      #expect(arrays == Arrays(batches.snapshot))
    }
  }

  /// Four rows of two sections: each is left alone, reconfigured, reloaded, renamed, or both of these.
  @Test func `What is marked is updated once, and what is renamed is renamed once`() throws {
    var old = List()
    old.appendSections([0, 1])
    try old.appendItems([1, 2, 3], toSection: 0)
    try old.appendItems([4], toSection: 1)
    for number in (0..<625 * 4).inScope(usual: 7) {
      let deeds = [0, number / 4, number / 20, number / 100, number / 500].map { $0 % 5 }
      let reloaded = (0..<2).filter { number >> $0 & 1 == 1 }
      var new = old
      try new.reloadSections(reloaded)
      var (updates, renames): ([Int], [Int]) = ([], [])
      for row in 1...4 where deeds[row] > 0 {
        let isRenamed = deeds[row] > 2
        let name = isRenamed ? row + 10 : row
        if isRenamed {
          try new.renameItem(row, to: name)
          renames.append(row)
        }
        if deeds[row] == 1 { try new.reconfigureItems([name]) }
        if deeds[row].isMultiple(of: 2) { try new.reloadItems([name]) }
        if !reloaded.contains(row / 4) { updates.append(name) }
      }
      let batch = try UpdateBatch(from: old, to: new)
      var arrays = Arrays(old)
      var (updated, renamed, sections): ([Int], [Int], [Int]) = ([], [], [])
      for change in batch.changes {
        let isRight = arrays.make(change)
        #expect(isRight, "\(change): \(batch)")
        switch change {
        case .updateItem(let item, _): updated.append(item)
        case .renameItem(let item, _, _): renamed.append(item)
        case .updateSection(let section, _): sections.append(section)
        default: Issue.record("\(change): \(batch)")
        }
      }
      #expect(arrays == Arrays(new), "\(batch)")
      #expect(updated.sorted() == updates.sorted(), "\(batch)")
      #expect(renamed.sorted() == renames && sections == reloaded, "\(batch)")
    }
  }

  @Test func `They are printed as batches are, with identifiers`() throws {
    let old = Snapshot<String, String>("A[a b c d] B[e] C[f]")
    var new = Snapshot<String, String>("C[f] A[c a x y] D[z w]")
    try new.reconfigureItems(["f"])
    let batch = try UpdateBatch(from: old, to: new)
    #expect(
      batch.changes.map(\.description) == [
        "-§1 B", "-0:3 d", "-0:1 b", "0:0→0:1 a", "+0:2 x", "+0:3 y", "§0→1 A",
        "+§2 D[z w]", "~0:0 f",
      ])
    #expect(try UpdateBatch(from: old, to: old).changes.isEmpty)
  }

  @Test func `A batch of one's own is checked`() throws {
    let list = Snapshot<String, String>("A[a]")
    var twice = list
    try twice.appendItems(["a"])
    #expect(throws: SnapshotError.self) { try UpdateBatch(from: list, to: twice) }
    #expect(throws: SnapshotError.self) { try UpdateBatch(showing: twice) }
    let batch = try UpdateBatch(showing: list, target: Revision(4))
    #expect("\(batch)" == "reset→r4 ⇒ A[a]")
    #expect(batch.previousSnapshot == nil && batch.presentation == .reset)
  }

  @Test func `With models`() async throws {
    let source = Notes()
    try await source.apply([Note(id: 1), Note(id: 3), Note(id: 2)], section: \.folder)
    var batches = await source.changes()
    try await source.update { draft in
      try draft.update(2) { $0.text = 7 }
      try draft.moveItem(2, beforeItem: 1)
    }
    let batch = try #require(await batches.next())
    #expect(
      batch.changes == [
        .moveItem(2, from: ItemPath(section: 0, item: 2), to: ItemPath(section: 0, item: 0)),
        .updateItem(2, at: ItemPath(section: 0, item: 0)),
      ])
    #expect(batch.previousModel(for: 2)?.text == 0 && batch.model(for: 2)?.text == 7)
  }
}

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

/// What a log has called a state, and what it is called by somebody who shows the list under another name.
@Suite("A revision with another name is no state of the log any more") struct NamedBatchTests {
  private typealias Batch = UpdateBatch<Int, Int>

  @Test func `The names of both revisions, and that of the history`() throws {
    let digest = HistoryPlace.start.next(WriteID()).digest
    let list = Snapshot<Int, Int>(sections: [0], items: [[1]])
    let batch = Batch(
      BatchStep(
        epoch: Epoch(), base: Revision(1), target: Revision(2), difference: SnapshotDifference(),
        previousSnapshot: list.base, snapshot: list.base, presentation: .animated,
        digests: (digest, digest)))
    let names: [(change: (inout Batch) -> Void, isBaseKept: Bool, isTargetKept: Bool)] = [
      ({ ($0.epoch, $0.base, $0.target) = (batch.epoch, batch.base, batch.target) }, true, true),
      ({ $0.base = Revision(0) }, false, true), ({ $0.target = Revision(9) }, true, false),
      ({ $0.epoch = Epoch() }, false, false),
    ]
    for (number, name) in names.enumerated() {
      var named = batch
      name.change(&named)
      let (base, target) = (try #require(named.baseToken?.parts), named.token.parts)
      #expect(base.place.digest == (name.isBaseKept ? digest : .none), "\(number)")
      #expect(target?.place.digest == (name.isTargetKept ? digest : .none), "\(number)")
      #expect(base.epoch == named.epoch && base.place.revision == named.base, "\(number)")
      #expect(target?.epoch == named.epoch && target?.place.revision == named.target)
    }
  }
}
