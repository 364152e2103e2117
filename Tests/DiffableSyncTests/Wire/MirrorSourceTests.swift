import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import Synchronization
import Testing
import TestScope

@Suite("A mirror is a source", .deadline) struct MirrorSourceTests {
  typealias Delta = ModelDelta<CodedHeader, CodedRow>
  typealias Mirror = MirrorSource<ModelBatch<CodedHeader, CodedRow>>

  private static func rows(_ ids: Range<Int>, text: String = "") -> [CodedRow] {
    ids.map { CodedRow(id: $0, text: text) }
  }

  private static func source(_ rows: [CodedRow], epoch: Epoch = Epoch()) async throws -> CodedRows {
    let source = CodedRows(options: SourceOptions(epoch: epoch))
    try await source.apply(rows) { CodedHeader(number: $0.id % 2) }
    return source
  }

  /// The source as it is, as a delta.
  private static func reset(of source: CodedRows) async throws -> Delta {
    var batches = source.updates().makeAsyncIterator()
    return try #require(await batches.next()).delta
  }

  @Test func `An empty list is there at once, and its delta only says which state it is`()
    async throws
  {
    let mirror = Mirror()
    var batches = mirror.updates().makeAsyncIterator()
    let first = try #require(await batches.next())
    #expect(first.update.base == nil && first.update.target == .empty)
    #expect(await mirror.resumeToken == nil)
    let source = CodedRows()
    var sent = source.updates().makeAsyncIterator()
    let empty = try #require(await sent.next()).delta
    #expect(try await mirror.apply(empty) == .empty)
    #expect(await mirror.resumeToken == empty.target)
    try await source.apply(Self.rows(0..<3)) { _ in CodedHeader(number: 0) }
    let change = try #require(await sent.next()).delta
    #expect(!change.isReset)
    #expect(try await mirror.apply(change) == Revision(1))
    #expect(await batches.next()?.update.snapshot.numberOfItems == 3)
  }

  @Test func `A reset in the place of a list leaves in place what stays`() async throws {
    var list = Mirrored<ModelBatch<CodedHeader, CodedRow>>()
    let first = try await Self.source(Self.rows(0..<1_000))
    try await list.apply(Self.reset(of: first))
    // The server starts again: another epoch, and one row is another.
    var rows = Self.rows(0..<1_000)
    rows[500].text = "new"
    rows.remove(at: 7)
    let second = try await Self.source(rows)
    let batch = try #require(await list.apply(Self.reset(of: second)))
    #expect(batch.base != nil && batch.presentation == .animated)
    #expect(batch.difference.changeCount == 2)
    #expect(batch.models.map(\.value.text) == ["new"])
    #expect(batch.removedItems == [7])
    #expect(await list.token == second.token(for: second.revision))
    // What has no header there has none here.
    try await second.setSectionModel("x", for: CodedHeader(number: 1))
    try await list.apply(Self.reset(of: second))
    #expect(await list.mirror.sectionModel(for: CodedHeader(number: 1)) == "x")
    let third = try await Self.source(rows)
    try await list.apply(Self.reset(of: third))
    #expect(await list.mirror.sectionModel(for: CodedHeader(number: 1)) == nil)
    #expect(await list.snapshot == third.snapshot)
  }

  @Test func `A mirror of a mirror has tokens of its own`() async throws {
    let source = try await Self.source(Self.rows(0..<20))
    let (relay, last) = (Mirror(), Mirror())
    try await relay.apply(Self.reset(of: source))
    var batches = relay.updates().makeAsyncIterator()
    try await last.apply(#require(await batches.next()).delta)
    #expect(await last.resumeToken == relay.token(for: relay.revision))
    #expect(relay.epoch != source.epoch)
  }

  @Test func `Folding a row is a wish to the other process`() async throws {
    struct Refusal: Error {}
    let wishes = Lock<[String]>([])
    let mirror = MirrorSource<UpdateBatch<String, Int>>(expansionHandler: { item, isExpanded in
      if item == 0 { throw Refusal() }
      wishes.withLock { $0.append("\(item) \(isExpanded)") }
    })
    try await mirror.expandItem(7)
    try await mirror.collapseItem(8)
    #expect(wishes.withLock { $0 } == ["7 true", "8 false"])
    let error = await #expect(throws: ChildrenError<Int>.self) { try await mirror.expandItem(0) }
    #expect(error?.description.contains("Refusal") == true)
    let silent = MirrorSource<UpdateBatch<String, Int>>()
    try await silent.expandItem(1)
    await silent.finish()
    await #expect(throws: ChildrenError<Int>.self) { try await silent.expandItem(1) }
  }
}
