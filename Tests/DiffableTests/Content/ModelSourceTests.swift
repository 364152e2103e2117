import Diffable
import DiffableTesting
import ListSupport
import Testing

@Suite("Models beside the order") struct ModelSourceTests {
  static let notes = [
    Note(id: 1, folder: 0), Note(id: 2, folder: 1), Note(id: 3, folder: 0), Note(id: 4, folder: 1),
  ]

  @Test("Sections stand in the order of their first appearance")
  func grouping() async throws {
    let source = Notes()
    try await source.apply(Self.notes, section: \.folder)
    #expect(await "\(source.snapshot)" == "0[1 3] 1[2 4]")
    try await source.apply(Self.notes, section: \.folder, sections: [1, 2, 0])
    #expect(await "\(source.snapshot)" == "1[2 4] 2[] 0[1 3]")
    await #expect(throws: DataSourceError.invalidSnapshot(.unknownSection([AnyItemID(Folder(1))])))
    {
      try await source.apply(Self.notes, section: \.folder, sections: [0])
    }
    #expect(await source.revision == Revision(2))
  }

  @Test("A source begins with empty sections, each of them once, and edits fill them")
  func initialSections() async throws {
    let source = Notes(sections: [1, 2, 1, 0])
    #expect(await "\(source.snapshot)" == "1[] 2[] 0[]")
    #expect(await source.revision == Revision(1) && source.nextUndo() == nil)
    try await source.update { draft in
      #expect(draft.sectionIdentifiers == [1, 2, 0])
      try draft.appendItems([Self.notes[0]], toSection: 0)
      #expect(draft.itemIdentifiers(inSection: 0) == [1])
      #expect(
        draft.itemIdentifiers(inSection: 2).isEmpty && draft.itemIdentifiers(inSection: 9).isEmpty)
    }
    #expect(await "\(source.snapshot)" == "1[] 2[] 0[1]")
    #expect(await Notes(sections: []).revision == .empty)
  }

  @Test("What differs is reconfigured, what does not is not, and the models travel")
  func reconfigures() async throws {
    let source = Notes()
    var batches = source.updates(.every(limit: 9)).makeAsyncIterator()
    var notes = Self.notes
    try await source.apply(notes, section: \.folder)
    let first = try #require(await batches.next())
    #expect(first.update.base == nil && first.models.count == 4)

    notes[2].text = 1
    notes.swapAt(0, 1)
    notes.append(Note(id: 5, folder: 1))
    try await source.apply(notes, section: \.folder)
    let second = try #require(await batches.next())
    #expect("\(second)" == "r1→r2 §0→1 +0:2 ~1:1 ⇒ 1[2 4 5] 0[1 3]")
    #expect(second.models == [3: notes[2], 5: notes[4]])
    #expect(second.removedItems == [])
    #expect(second.change(of: 3) == [.text] && second.change(of: 1) == nil)
    #expect(second.previousModel(for: 3) == Self.notes[2] && second.model(for: 1) == notes[1])
    #expect(second.previousModel(for: 5) == nil)

    try await source.apply(notes, section: \.folder)
    #expect(await source.revision == Revision(2))
    try await source.setModel(notes[0])
    #expect(await source.revision == Revision(2))

    notes.removeLast()
    try await source.apply(notes, section: \.folder)
    let third = try #require(await batches.next())
    #expect(third.removedItems == [5] && third.models.isEmpty && third.model(for: 5) == nil)
  }

  @Test("One model, several, and what is not there")
  func settingModels() async throws {
    let source = Notes()
    try await source.apply(Self.notes, section: \.folder)
    var batches = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
    #expect(try await source.setModel(Note(id: 3, folder: 0, title: 1)).revision == Revision(2))
    #expect(await batches.next()?.description == "r1→r2 ~0:1 ⇒ 0[1 3] 1[2 4]")
    #expect(await source.model(for: 3)?.title == 1)

    let others = [Note(id: 4, folder: 1, text: 1), Note(id: 1, folder: 0)]
    try await source.setModels(others)
    let batch = try #require(await batches.next())
    #expect(batch.models == [4: others[0]])

    await #expect(
      throws: DataSourceError.invalidSnapshot(.unknownItem([AnyItemID(7), AnyItemID(8)]))
    ) {
      try await source.setModels([Note(id: 7), Note(id: 1, folder: 0, text: 9), Note(id: 8)])
    }
    #expect(await source.model(for: 1)?.text == 0)
    #expect(await source.model(for: 7) == nil)
    #expect(await source.revision == Revision(3))
  }

  @Test("Deleting drops a model, moving keeps it")
  func lifetimes() async throws {
    let source = Notes()
    try await source.apply(Self.notes, section: \.folder)
    try await source.update { draft in
      try draft.snapshot.moveItem(1, afterItem: 4)
      draft.snapshot.deleteItems([3])
    }
    #expect(await source.model(for: 1) == Self.notes[0])
    #expect(await source.model(for: 3) == nil)
    await #expect(throws: DataSourceError.invalidSnapshot(.missingModel([AnyItemID(3)]))) {
      try await source.update { draft in try draft.snapshot.appendItems([3]) }
    }
    #expect(await "\(source.snapshot)" == "0[] 1[2 4 1]")
    try await source.update { draft in draft.snapshot.deleteSections([1]) }
    #expect(await source.model(for: 1) == nil)
  }

  @Test("An edit of order and models in one step")
  func drafts() async throws {
    let source = Notes()
    try await source.apply(Self.notes, section: \.folder)
    let old = try await source.update { draft in
      let old = draft.model(for: 1)
      draft.setModel(Note(id: 1, folder: 0, text: 1))
      try draft.insertItems([Note(id: 5)], beforeItem: 1)
      try draft.insertItems([Note(id: 6)], afterItem: 1)
      try draft.appendItems([Note(id: 7)], toSection: 1)
      return old
    }.value
    #expect(old == Self.notes[0])
    #expect(await "\(source.snapshot)" == "0[5 1 6 3] 1[2 4 7]")
    #expect(await source.model(for: 1)?.text == 1)
    #expect(await source.model(for: 7) == Note(id: 7))
    try await source.update { draft in
      try draft.replaceItems(inSection: 0, with: [Note(id: 3, text: 2), Note(id: 8)])
    }
    #expect(await "\(source.snapshot)" == "0[3 8] 1[2 4 7]")
    #expect(await source.model(for: 3)?.text == 2)

    struct Refusal: Error {}
    await #expect(throws: Refusal.self) {
      try await source.update { draft in
        draft.setModel(Note(id: 3, text: 9))
        draft.snapshot.deleteAllItems()
        throw Refusal()
      }
    }
    #expect(await source.model(for: 3)?.text == 2)
    #expect(await source.revision == Revision(3))
    #expect(await source.snapshot.containsItem(8))
  }

  @Test("A snapshot with models, marks included")
  func snapshotsWithModels() async throws {
    let source = Notes()
    var list = Snapshot<Folder, Int>()
    list.appendSections([0])
    try list.appendItems([1, 2])
    await #expect(throws: DataSourceError.invalidSnapshot(.missingModel([AnyItemID(2)]))) {
      try await source.apply(list, models: [Note(id: 1)])
    }
    #expect(await source.revision == .empty)
    try await source.apply(list, models: [Note(id: 1), Note(id: 2), Note(id: 3)])
    #expect(await source.model(for: 3) == nil)
    try list.reloadItems([1])
    try list.reconfigureItems([2])
    var batches = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
    try await source.apply(list, models: [Note(id: 1, text: 1)])
    let batch = try #require(await batches.next())
    #expect("\(batch)" == "r1→r2 *0:0 ~0:1 ⇒ 0[1 2]")
    #expect(batch.models == [1: Note(id: 1, text: 1), 2: Note(id: 2)])
    #expect(batch.change(of: 2) == nil, "a mark of its own says nothing of the content")
  }

  @Test(
    "The place that the policy keeps gives the content",
    arguments: [DuplicatePolicy.keepFirst, .keepLast])
  func duplicates(_ policy: DuplicatePolicy) async throws {
    let source = Notes(options: SourceOptions(duplicates: policy))
    let twice = [
      Note(id: 1, folder: 0, text: 1), Note(id: 2, folder: 1), Note(id: 1, folder: 1, text: 2),
    ]
    try await source.apply(twice, section: \.folder)
    let keepsFirst = policy == .keepFirst
    #expect(await source.model(for: 1)?.text == (keepsFirst ? 1 : 2))
    #expect(await "\(source.snapshot)" == (keepsFirst ? "0[1] 1[2]" : "0[] 1[2 1]"))
    // Now the other one stands first.
    try await source.apply(twice, section: \.folder, sections: [1, 0])
    #expect(await source.model(for: 1)?.text == (keepsFirst ? 2 : 1))
  }

  @Test("Duplicates are refused by default")
  func refusedDuplicates() async throws {
    let source = Notes()
    await #expect(throws: DataSourceError.self) {
      try await source.apply([Note(id: 1), Note(id: 1, text: 1)], section: \.folder)
    }
    #expect(await source.snapshot == Snapshot())
    #expect(await source.model(for: 1) == nil)
  }

  @Test("An item that went and came back with other content is reconfigured")
  func returningItems() async throws {
    let source = Notes()
    try await source.apply(Self.notes, section: \.folder)
    var batches = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
    try await source.update { draft in draft.snapshot.deleteItems([3]) }
    try await source.update { draft in
      try draft.insertItems([Note(id: 3, folder: 0, title: 5)], afterItem: 1)
    }
    let batch = try #require(await batches.next())
    #expect("\(batch)" == "r1→r3 ~0:1 ⇒ 0[1 3] 1[2 4]")
    #expect(batch.change(of: 3) == [.title])
  }

  @Test("A description covers all revisions that a batch passes over")
  func descriptions() async throws {
    let source = Notes()
    try await source.apply(Self.notes, section: \.folder)
    var batches = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
    try await source.setModel(Note(id: 1, folder: 0, title: 1))
    try await source.setModel(Note(id: 1, folder: 0, title: 1, text: 1))
    try await source.setModel(Note(id: 3, folder: 0, title: 1))
    try await source.setModel(Note(id: 3, folder: 0))
    let batch = try #require(await batches.next())
    #expect(batch.change(of: 1) == [.title, .text])
    #expect(batch.change(of: 3) == nil && batch.models.count == 1, "back to what is shown")
  }

  @Test("The end, conflicts, cancellation and re-entrance are those of every source")
  func errors() async throws {
    let source = Notes()
    try await source.apply(Self.notes, section: \.folder)
    await #expect(throws: DataSourceError.conflict(expected: .empty, actual: Revision(1))) {
      try await source.apply([], section: \.folder, ifRevision: .empty)
    }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await source.setModel(Note(id: 1, text: 5))
    }
    await #expect(throws: DataSourceError.cancelled) { try await task.value }
    try await source.update { draft in
      source.assumeIsolated { source in
        #expect(throws: DataSourceError.reentrant) { try source.setModel(Note(id: 1, text: 6)) }
        #expect(source.model(for: 1) == Self.notes[0], "the state before")
      }
      draft.setModel(Note(id: 1, folder: 0, text: 7))
    }
    #expect(await source.model(for: 1)?.text == 7)
    #expect(
      await source.difference(from: Revision(1), to: Revision(2))?.itemReconfigures.count == 1)
    await source.delivered(Revision(2))
    await source.finish()
    await #expect(throws: DataSourceError.finished) { try await source.setModel(Self.notes[0]) }
    var batches = source.updates().makeAsyncIterator()
    #expect(await batches.next()?.models.count == 4)
    #expect(await batches.next() == nil)
  }
}
