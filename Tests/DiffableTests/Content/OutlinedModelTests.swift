import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

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

  @Test("A hidden row without a model is refused, and nothing has changed")
  func missing() async throws {
    let source = try await source()
    let before = (await source.snapshot, await source.revision)
    var list = before.0
    try list.replaceItems(childrenOf: 1, using: Outline([7]))
    let refusal = DataSourceError.invalidSnapshot(.missingModel([AnyItemID(7)]))
    await #expect(throws: refusal) { try await source.apply(list, models: []) }
    await #expect(throws: refusal) {
      try await source.merge(list, models: [], basedOn: before.1)
    }
    try await source.apply(list, models: [Note(id: 7)])
    #expect(await source.model(for: 7) == Note(id: 7))
    for child in children { #expect(await source.model(for: child.id) == nil) }
  }

  @Test(
    "Whatever is written, there is a model for each row and for nothing else",
    arguments: 0..<8 as Range<UInt64>)
  func law(seed: UInt64) async throws {
    var generator = SnapshotGenerator(seed: seed, section: { Folder($0) }, item: { $0 })
    let source = Notes()
    for step in 0..<rounds(40, least: 16) {
      let (before, revision) = (await source.snapshot, await source.revision)
      let edit = generator.anyEdit(of: before)
      var after = before
      guard (try? edit.apply(to: &after)) != nil, (try? after.validate()) != nil else { continue }
      let come = Set(after.allItems).subtracting(before.allItems)
      let withheld = Set(generator.random.sample(come.sorted(), oneIn: 12))
      let comment: Comment = "seed \(seed), step \(step): \(edit) without \(withheld)"
      do {
        try await source.update { draft in
          try edit.apply(to: &draft.snapshot)
          for item in come.subtracting(withheld) { draft.setModel(Note(id: item)) }
        }
        #expect(withheld.isEmpty, comment)
      } catch DataSourceError.invalidSnapshot(.missingModel(let missing)) {
        #expect(Set(missing) == Set(withheld.map { AnyItemID($0) }), comment)
        #expect(missing.count == withheld.count, comment)
        #expect(await source.revision == revision, comment)
        after = before
      }
      #expect(await source.snapshot == after, comment)
      let rows = Set(after.allItems)
      for item in come.union(before.allItems).union([-1]) {
        #expect(await (source.model(for: item) != nil) == rows.contains(item), comment)
      }
    }
  }
}
