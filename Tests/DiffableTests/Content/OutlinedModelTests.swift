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
    try list.replaceItems(childrenOf: 1, using: Outline([7, 8]))
    let refusal = DataSourceError.invalidSnapshot(.missingModel([AnyItemID(7), AnyItemID(8)]))
    await #expect(throws: refusal) { try await source.apply(list, models: []) }
    await #expect(throws: refusal) {
      try await source.merge(list, models: [], basedOn: before.1)
    }
    try await source.apply(list, models: [Note(id: 7), Note(id: 8)])
    for child in 7...8 { #expect(await source.model(for: child) == Note(id: child)) }
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
}
