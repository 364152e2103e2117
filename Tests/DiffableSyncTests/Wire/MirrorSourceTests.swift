import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
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

  // MARK: Deltas with models

  private typealias List = Mirrored<ModelBatch<CodedHeader, CodedRow>>

  private func delta(_ members: String) throws(DeltaError) -> Delta {
    let token = {
      "\"\(ResumeToken(epoch: Epoch("AAAAAAAAAAAAAAAAAAAAAA") ?? Epoch(), revision: Revision($0)))\""
    }
    let text = members.replacing("BASE", with: token(1)).replacing("TARGET", with: token(2))
    return try ModelDelta.read(("{\"format\":1," + text + "}").utf8) {
      try JSONDecoder().decode(ModelDelta.self, from: Data($0))
    }
  }

  @Test func `Models that do not fit are refused`() async throws {
    func held() async throws -> List {
      var list = List()
      try await list.apply(
        delta(
          #"""
          "target":BASE,"sections":[{"id":{"number":1},"items":[1,2]}],
          "counts":{"sections":1,"items":2},"models":[{"id":1,"text":""},{"id":2,"text":""}],
          "sectionModels":[{"id":{"number":1},"model":"one"}]
          """#))
      return list
    }
    func refusal(_ members: String) async throws -> String? {
      var list = try await held()
      let snapshot = await list.snapshot
      do throws(DeltaError) {
        try await list.apply(
          delta(#""base":BASE,"target":TARGET,"counts":{"sections":1,"items":2},"# + members))
        return nil
      } catch {
        #expect(await list.snapshot == snapshot)
        #expect(await list.mirror.element(for: 1)?.text == "")
        #expect(await list.mirror.element(for: 3) == nil)
        #expect(await list.mirror.sectionModel(for: CodedHeader(number: 1)) == "one")
        return error.description
      }
    }
    let exchange = #""difference":{"itemDeletes":[[0,0,1]],"itemInserts":[[0,0,1]]},"items":[3]"#
    #expect(try await refusal(exchange)?.contains("no model for “3”") == true)
    #expect(try await refusal(exchange + #","models":[{"id":3,"text":""}]"#) == nil)
    #expect(
      try await refusal(exchange + #","models":[{"id":3,"text":""},{"id":1,"text":""}]"#)?
        .contains("items that are not in the list: “1”") == true)
    // What shows something else is found, whether the delta says so or not.
    #expect(try await refusal(#""models":[{"id":1,"text":"x"}]"#) == nil)
    let shown = #""difference":{"itemReconfigures":[[0,0,1]]},"models""#
    #expect(try await refusal(shown + #":[{"id":1,"text":"x"}]"#) == nil)
    #expect(
      try await refusal(shown + #":[{"id":1,"text":"x"},{"id":1,"text":"y"}]"#)?.contains(
        "two models")
        == true)
    let header = #""sectionModels":[{"id":{"number":1},"model":"two"}]"#
    #expect(try await refusal(header) == nil)
    #expect(try await refusal(#""difference":{"sectionReconfigures":[[0,1]]},"# + header) == nil)
    #expect(
      try await refusal(#""sectionModels":[{"id":{"number":7}}]"#)?.contains(
        "sections that are not in the list") == true)
    #expect(
      try await refusal(#""sectionModels":[{"id":{"number":1},"model":7}]"#)?.contains("wrong type")
        == true)
  }

  @Test func `A batch that was changed by hand brings all models, as a reset does`() async throws {
    let source = ModelSource<String, CodedRow>()
    try await source.apply((0..<3).map { CodedRow(id: $0, text: "old") }) { _ in "list" }
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    try await source.update { $0.setModel(CodedRow(id: 1, text: "new")) }
    var update = try #require(await batches.next()).update
    update.difference.itemDeletes = [ItemPath(section: 0, item: 7)]
    let delta = ModelDelta(ModelBatch<String, CodedRow>(update))
    #expect(delta.isReset)
    let mirror = MirrorSource<ModelBatch<String, CodedRow>>()
    try await mirror.apply(delta)
    for item in 0..<3 {
      let model = await source.model(for: item)
      #expect(await mirror.element(for: item) == model)
    }
  }

  @Test func `A batch of a source of other models has none`() async throws {
    struct Stranger: Identifiable, Equatable, Sendable {
      let id: Int
      var texts = ["a", "b"]
    }
    let source = ModelSource<String, CodedRow>()
    try await source.apply((0..<3).map { CodedRow(id: $0) }) { _ in "list" }
    var batches = source.updates().makeAsyncIterator()
    let batch = try #require(await batches.next())
    let other = ModelBatch<String, Stranger>(batch.update)
    #expect(other.models.isEmpty && ModelDelta(other).models.isEmpty)
    #expect(ModelDelta(batch).models.count == 3)
  }

  @Test func `One changed row among ten thousand is a short text`() async throws {
    let source = ModelSource<String, CodedRow>()
    let text = String(repeating: "x", count: 80)
    try await source.apply((0..<10_000).map { CodedRow(id: $0, text: text) }) { _ in "list" }
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    let changed = CodedRow(id: 5_000, text: String(repeating: "y", count: 80))
    try await source.update { $0.setModel(changed) }
    let batch = try #require(await batches.next())
    let size = try JSONEncoder().encode(ModelDelta(batch)).count
    let model = try JSONEncoder().encode(changed).count
    #expect(model >= 100 && size - model <= 400, "\(size) bytes")
  }
}
