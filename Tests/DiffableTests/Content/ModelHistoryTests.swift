import Diffable
import DiffableTesting
import ListSupport
import Testing

@Suite("Undo, redo and merge of models") struct ModelHistoryTests {
  private static let notes = [Note(id: 1), Note(id: 2), Note(id: 3)]

  @Test("Undo brings models back, and redo takes them away again")
  func undo() async throws {
    let source = Notes()
    try await source.apply(Self.notes, section: \.folder)
    try await source.setModel(Note(id: 1, text: 1))
    try await source.update(named: "Delete") { draft in draft.snapshot.deleteItems([2]) }
    #expect(source.nextUndo()?.name == "Delete")

    try await source.undo()
    #expect(await source.model(for: 2) == Self.notes[1])
    #expect(await source.model(for: 1)?.text == 1)
    var batches = source.updates(after: source.token(for: await source.revision))
      .makeAsyncIterator()
    try await source.undo()
    let batch = try #require(await batches.next())
    #expect(batch.models == [1: Self.notes[0]] && batch.change(of: 1) == [.text])
    try await source.redo()
    #expect(await source.model(for: 1)?.text == 1)
    try await source.redo()
    #expect(await source.model(for: 2) == nil)
    #expect(source.nextRedo() == nil)
  }

  @Test("What others changed since stays")
  func undoAmongOthers() async throws {
    let source = Notes()
    try await source.apply(Self.notes, section: \.folder)
    try await source.update(named: "Edit") { draft in draft.setModel(Note(id: 1, title: 1)) }
    try await source.setModel(Note(id: 2, title: 9))
    try await source.undo(.named)
    #expect(await source.model(for: 1) == Self.notes[0])
    #expect(await source.model(for: 2)?.title == 9)
  }

  @Test("A merge adds the writer's models to those of others")
  func merge() async throws {
    let source = Notes()
    let base = try await source.apply(Self.notes, section: \.folder).revision
    var draft = await source.snapshot
    draft.deleteItems([3])
    try draft.appendItems([4])
    try await source.setModels([Note(id: 1, text: 1), Note(id: 2, text: 1), Note(id: 3, text: 1)])
    try await source.merge(
      draft, models: [Note(id: 4), Note(id: 2, title: 5), Note(id: 77)], basedOn: base)
    #expect(await "\(source.snapshot)" == "0[1 2 4]")
    #expect(await source.model(for: 1)?.text == 1, "others changed it")
    #expect(await source.model(for: 2) == Note(id: 2, title: 5), "the writer's word counts")
    #expect(await source.model(for: 4) == Note(id: 4))
    #expect(await source.model(for: 3) == nil)
    #expect(await source.model(for: 77) == nil)
    await #expect(throws: DataSourceError.invalidSnapshot(.missingModel([AnyItemID(9)]))) {
      var list = draft
      try list.appendItems([9])
      try await source.merge(list, models: [], basedOn: base)
    }
  }

  @Test(
    "Undoing everything goes back through every state, and redoing forth",
    arguments: 1...12 as ClosedRange<UInt64>)
  func everything(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let source = Notes()
    var states: [[Note]] = [[]]
    for _ in 0..<12 {
      let ids = random.sample(random.shuffled(Array(0..<6)), oneIn: 2)
      let notes = ids.map { Note(id: $0, text: random.number(below: 3)) }
      if try await source.apply(notes, section: \.folder).change != nil { states.append(notes) }
    }
    for notes in states.dropLast().reversed() {
      #expect(try await source.undo() != nil)
      try await expect(source, notes, "seed \(seed)")
    }
    #expect(try await source.undo() == nil)
    for notes in states.dropFirst() {
      #expect(try await source.redo() != nil)
      try await expect(source, notes, "seed \(seed)")
    }
  }

  private func expect(_ source: Notes, _ notes: [Note], _ comment: Comment) async throws {
    #expect(await source.snapshot.itemIdentifiers == notes.map(\.id), comment)
    for id in 0..<6 {
      #expect(await source.model(for: id) == notes.first { $0.id == id }, comment)
    }
  }
}
