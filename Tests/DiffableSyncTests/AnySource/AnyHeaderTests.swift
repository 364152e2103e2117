import Diffable
import DiffableQueries
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

/// One program reads the models of sections, whatever kind of source it has.
@Suite(.deadline)
struct AnyHeaderTests {
  typealias Batch = ModelBatch<CodedHeader, CodedRow>

  private static let (titled, plain) = (CodedHeader(number: 1), CodedHeader(number: 2))

  @Sendable private static func fill(_ draft: inout ModelDraft<CodedHeader, CodedRow>) throws {
    draft.appendSections([titled, plain])
    try draft.setSectionModel("one", for: titled)
    try draft.appendItems([CodedRow(id: 1)], toSection: titled)
    try draft.appendItems([CodedRow(id: 2)], toSection: plain)
  }

  private static func read<Source: ListSource>(
    _ source: Source, _ title: String = "one"
  ) async where Source.SectionID == CodedHeader {
    #expect(await source.sectionModel(for: titled) == title)
    #expect(await source.sectionModel(for: plain) == nil)
    #expect(await source.sectionModel(for: CodedHeader(number: 3)) == nil)
  }

  @Test func `Lists in memory, and what shows them`() async throws {
    let list = CodedRows()
    try await list.update(Self.fill)
    await Self.read(list)
    await Self.read(list.authored(by: "Ann"))
    await Self.read(list.derived { $0.filter { _ in true } })
    let counted = list.derived { query in
      query.sectionModels { $0 == Self.titled ? "\($1) row" : "" }.filter { $0.id < 2 }
    }
    #expect(await counted.sectionModel(for: Self.titled) == "1 row")
    #expect(await counted.sectionModel(for: Self.plain) == "")
  }

  @Test func `Mirrors, also while a change of the user waits`() async throws {
    let list = CodedRows()
    try await list.update(Self.fill)
    let mirror = MirrorSource<Batch>()
    for await batch in list.updates() {
      try await mirror.apply(batch.delta)
      break
    }
    await Self.read(mirror)
    // The owner never answers.
    let edits = try await mirror.editable { _ in
      throw CancellationError()
    }
    await Self.read(edits)
    try await edits.update { try $0.setSectionModel("mine", for: Self.titled) }
    await Self.read(edits, "mine")
    await Self.read(mirror)
  }

  @Test func `Lists over a log`() async throws {
    let list = try await ReplicatedSource<Batch>(MemoryLog().participant(), options: .quick) {
      try Array(JSONEncoder().encode($0))
    } decode: {
      try JSONDecoder().decode(ModelDelta<CodedHeader, CodedRow>.self, from: Data($0))
    }
    try await list.update(Self.fill)
    await Self.read(list)
    await Self.read(await list.optimistic())
  }

  @Test func `A list of identifiers has none`() async throws {
    let list = DataSourceActor<CodedHeader, Int>()
    try await list.update { $0.appendSections([Self.titled]) }
    #expect(await list.sectionModel(for: Self.titled) == nil)
  }
}
