import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

@Suite("Models of items that an outline hides") struct OutlinedModelTests {
  /// A list of row 1, which hides the rows 2 and 3.
  private func source() async throws -> Notes {
    let source = Notes()
    try await source.apply((1...3).map { Note(id: $0) }, section: \.folder)
    try await source.updateOrder { order in
      try order.setOutline(Outline([1, 2, 3], levels: [0, 1, 1]), forSection: 0)
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
    for child in 2...3 { #expect(await source.model(for: child) == nil) }
  }

  @Test("Models that an old snapshot remembers do not count")
  func remembered() async throws {
    let source = try await source()
    let old = await source.snapshot
    try await source.update { $0.deleteItems([2]) }
    let refusal = DataSourceError.invalidSnapshot(.missingModel([AnyItemID(2)]))
    await #expect(throws: refusal) { try await source.apply(old, models: []) }
    #expect(await source.model(for: 2) == nil)
    try await source.apply(old, models: [Note(id: 2, text: 1)])
    #expect(await source.model(for: 2)?.text == 1)
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
