import Diffable
import Testing

@Suite("Models of items that an outline hides") struct OutlinedModelTests {
  private let parent = Note(id: 1, folder: 0)
  private let children = [Note(id: 2, folder: 0), Note(id: 3, folder: 0)]

  private func source() async throws -> Notes {
    let source = Notes()
    try await source.apply([parent] + children, section: \.folder)
    try await source.update { [parent, children] draft in
      var outline = Outline<Int>()
      try outline.append([parent.id])
      try outline.append(children.map(\.id), to: parent.id)
      try draft.snapshot.setOutline(outline, forSection: Folder(0))
    }
    return source
  }

  @Test("They stay while they are hidden, and travel when they are seen")
  func folding() async throws {
    let source = try await source()
    #expect(await source.snapshot.numberOfItems == 1)
    #expect(await source.model(for: 3) == children[1])

    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    try await source.update { [parent] draft in draft.snapshot.expandItems([parent.id]) }
    let batch = try #require(await batches.next())
    #expect(batch.update.snapshot.numberOfItems == 3)
    #expect(batch.models[2] == children[0] && batch.models[3] == children[1])

    try await source.update { [parent] draft in draft.snapshot.collapseItems([parent.id]) }
    #expect(await source.snapshot.numberOfItems == 1)
    #expect(await source.model(for: 2) == children[0])
  }

  @Test("One that changes while it is hidden is told at once, and seen as it is then")
  func changing() async throws {
    let source = try await source()
    var batches = source.updates(.every(limit: 9)).makeAsyncIterator()
    let shown = try #require(await batches.next())
    var changed = children[0]
    changed.text += 1
    try await source.setModel(changed)
    #expect(await source.model(for: 2) == changed)
    #expect(await source.revision == shown.update.target.next)
    let hidden = try #require(await batches.next())
    #expect(hidden.update.difference.isEmpty && hidden.models.isEmpty)
    #expect(hidden.model(for: 2) == changed)

    try await source.update { [parent] draft in draft.snapshot.expandItems([parent.id]) }
    let seen = try #require(await batches.next())
    #expect(seen.models[2] == changed && seen.models[3] == children[1])
  }

  @Test("They go with the item that hides them")
  func deleting() async throws {
    let source = try await source()
    try await source.update { [parent] draft in draft.snapshot.deleteItems([parent.id]) }
    #expect(await source.snapshot.numberOfItems == 0)
    for note in [parent] + children { #expect(await source.model(for: note.id) == nil) }
  }
}
