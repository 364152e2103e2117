import Diffable
import ListSupport
import TestScope
import Testing

/// Dragging rows that have models, and looking back at them.
@Suite(.deadline) struct ModelReorderingTests {
  private static let notes = [Note(id: 1), Note(id: 2), Note(id: 3, folder: 1)]

  private static func source(history: Int = 64) async throws -> Notes {
    let source = Notes(
      options: SourceOptions(history: history),
      reordering: ReorderingHandlers(canReorder: { items, _, _ in !items.contains(3) }))
    try await source.apply(notes, section: \.folder)
    return source
  }

  @Test func `Previews show the models that the drag began with`() async throws {
    let source = try await Self.source()
    #expect(try await source.beginReorder([3]) == nil)
    var drag = try #require(try await source.beginReorder([1]))
    try await source.setModel(Note(id: 1, text: 9))
    let preview = ModelBatch<Folder, Note>(try drag.proposed(to: .after(3)))
    #expect("\(preview)" == "r1→r1 0:0→1:1 ⇒ 0[2] 1[3 1]")
    #expect(preview.models.isEmpty && preview.removedItems.isEmpty)
    for note in Self.notes {
      #expect(preview.model(for: note.id) == note && preview.previousModel(for: note.id) == note)
    }
    #expect("\(drag.cancel())" == "r1→r1 1:1→0:0 ⇒ 0[1 2] 1[3]")
    #expect(try await drag.commit() == nil)
    await #expect(throws: DataSourceError.unknownRevision(Revision(9))) {
      try await source.beginReorder([1], at: Revision(9))
    }
  }

  @Test(arguments: [0, 1, 64])
  func `What others have made of the models is shown after the drop`(history: Int) async throws {
    let source = try await Self.source(history: history)
    var drag = try #require(try await source.beginReorder([1]))
    _ = try drag.proposed(to: .after(3))
    try await source.setModels([Note(id: 1, text: 5), Note(id: 2, text: 5)])
    try await source.setModel(Note(id: 2))
    try await source.update { draft in
      try draft.snapshot.reloadItems([3])
      try draft.appendItems([Note(id: 4)], toSection: 0)
    }
    let drop = try #require(try await drag.commit(named: "Move"))
    let rest = ModelBatch<Folder, Note>(await drag.batch(completing: drop))
    #expect("\(rest)" == "r1→r5 +0:1 *1:0 ~1:1 ⇒ 0[2 4] 1[3 1]")
    #expect(
      rest.models == [1: Note(id: 1, text: 5), 3: Self.notes[2], 4: Note(id: 4)])
    #expect(rest.change(of: 1) == [.text] && rest.change(of: 2) == nil)
    #expect(await source.model(for: 1)?.text == 5, "a drag touches no model")
    guard history > 1 else { return }
    #expect(source.nextUndo(.named)?.name == "Move")
    try await source.undo(.named)
    #expect(await "\(source.snapshot)" == "0[1 2 4] 1[3]")
  }

  @Test func `Order and models of revisions in the history can be looked up`() async throws {
    let source = try await Self.source(history: 1)
    try await source.setModel(Note(id: 1, text: 1))
    #expect(source.snapshot(at: Revision(1)).map { "\($0)" } == "0[1 2] 1[3]")
    #expect(source.model(for: 1, at: Revision(1)) == Self.notes[0])
    #expect(source.model(for: 1, at: Revision(2))?.text == 1)
    #expect(source.model(for: 7, at: Revision(2)) == nil)
    try await source.update { draft in draft.snapshot.deleteItems([1]) }
    #expect(source.model(for: 1, at: Revision(3)) == nil)
    #expect(source.model(for: 1, at: Revision(1)) == nil && source.snapshot(at: Revision(1)) == nil)
    #expect(source.snapshot(at: Revision(2))?.numberOfItems == 3)
  }
}
