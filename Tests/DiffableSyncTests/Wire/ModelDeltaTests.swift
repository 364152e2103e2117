import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import Testing
import TestScope

/// Deltas with models.
@Suite(.deadline) struct ModelDeltaTests {
  private typealias Row = CodedRow
  private typealias Header = CodedHeader
  private typealias List = Mirrored<ModelBatch<Header, Row>>

  private func delta(_ members: String) throws(DeltaError) -> ModelDelta<Header, Row> {
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
        #expect(await list.mirror.sectionModel(for: Header(number: 1)) == "one")
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
    let source = ModelSource<String, Row>()
    try await source.apply((0..<3).map { Row(id: $0, text: "old") }) { _ in "list" }
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    try await source.update { $0.setModel(Row(id: 1, text: "new")) }
    var update = try #require(await batches.next()).update
    update.difference.itemDeletes = [ItemPath(section: 0, item: 7)]
    let delta = ModelDelta(ModelBatch<String, Row>(update))
    #expect(delta.isReset)
    let mirror = MirrorSource<ModelBatch<String, Row>>()
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
    let source = ModelSource<String, Row>()
    try await source.apply((0..<3).map { Row(id: $0) }) { _ in "list" }
    var batches = source.updates().makeAsyncIterator()
    let batch = try #require(await batches.next())
    let other = ModelBatch<String, Stranger>(batch.update)
    #expect(other.models.isEmpty && ModelDelta(other).models.isEmpty)
    #expect(ModelDelta(batch).models.count == 3)
  }

  @Test func `One changed row among ten thousand is a short text`() async throws {
    let source = ModelSource<String, Row>()
    let text = String(repeating: "x", count: 80)
    try await source.apply((0..<10_000).map { Row(id: $0, text: text) }) { _ in "list" }
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    let changed = Row(id: 5_000, text: String(repeating: "y", count: 80))
    try await source.update { $0.setModel(changed) }
    let batch = try #require(await batches.next())
    let size = try JSONEncoder().encode(ModelDelta(batch)).count
    let model = try JSONEncoder().encode(changed).count
    #expect(model >= 100 && size - model <= 400, "\(size) bytes")
  }
}
