import Diffable
import DiffableTesting
import Foundation
import Testing

/// Deltas with models.
@Suite(.timeLimit(.minutes(15))) struct ModelDeltaTests {
  private typealias Row = CodedRow
  private typealias Header = CodedHeader
  private typealias Rows = CodedRows
  private typealias List = FollowedModels<Header, Row>

  private func expectSame(_ list: List, _ source: Rows, _ comment: Comment) async {
    let snapshot = await source.snapshot
    #expect(list.snapshot == snapshot, comment)
    for index in 0..<snapshot.numberOfSections {
      let items =
        snapshot.outline(ofSectionAt: index)?.items ?? Array(snapshot.items(inSectionAt: index))
      for item in items {
        let model = await source.model(for: item)
        #expect(list.model(for: item) == model, comment)
      }
      if let section = snapshot.sectionIdentifier(at: index) {
        let model = await source.sectionModel(for: section)
        #expect(list.sectionModel(for: section) == model, comment)
      }
    }
    for item in 0..<300 where !snapshot.containsItem(item) {
      #expect(list.model(for: item) == nil, comment)
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `A follower has the order and the models of the source`(seed: UInt64) async throws {
    var changes = CodedRowChanges(seed: seed)
    let source = Rows()
    var batches = source.updates().makeAsyncIterator()
    var list = List()
    var taken = Revision.empty
    for step in 0..<25 * effort {
      await changes.change(source)
      guard await source.revision > taken, changes.generator.random.chance(oneIn: 2),
        let batch = await batches.next()
      else { continue }
      taken = batch.update.target
      let shown = try list.apply(DeltaLawTests.sent(ModelDelta(batch)))
      let comment: Comment = "seed \(seed), step \(step)"
      #expect(shown.update == batch.update && shown.models == batch.models, comment)
      #expect(shown.sectionModels == batch.sectionModels, comment)
      #expect(Set(shown.removedItems) == Set(batch.removedItems), comment)
      await expectSame(list, source, comment)
      var other = List()
      try other.apply(DeltaLawTests.sent(#require(list.wholeState)))
      await expectSame(other, source, comment)
      #expect(other.token == list.token, comment)
    }
    #expect(taken > .empty)
  }

  private func delta(_ members: String) throws(DeltaError) -> ModelDelta<Header, Row> {
    let token = {
      "\"\(ResumeToken(epoch: Epoch("AAAAAAAAAAAAAAAAAAAAAA") ?? Epoch(), revision: Revision($0)))\""
    }
    let text = members.replacing("BASE", with: token(1)).replacing("TARGET", with: token(2))
    return try ModelDelta.read(("{\"format\":1," + text + "}").utf8) {
      try JSONDecoder().decode(ModelDelta.self, from: Data($0))
    }
  }

  @Test func `Models that do not fit are refused`() throws {
    func held() throws -> List {
      var list = List()
      try list.apply(
        delta(
          #"""
          "target":BASE,"sections":[{"id":{"number":1},"items":[1,2]}],
          "counts":{"sections":1,"items":2},"models":[{"id":1,"text":""},{"id":2,"text":""}],
          "sectionModels":[{"id":{"number":1},"model":"one"}]
          """#))
      return list
    }
    func refusal(_ members: String) throws -> String? {
      var list = try held()
      let (snapshot, token) = (list.snapshot, list.token)
      do throws(DeltaError) {
        try list.apply(
          delta(#""base":BASE,"target":TARGET,"counts":{"sections":1,"items":2},"# + members))
        return nil
      } catch {
        #expect(list.snapshot == snapshot && list.token == token)
        #expect(list.model(for: 1)?.text == "" && list.model(for: 3) == nil)
        #expect(list.sectionModel(for: Header(number: 1)) == "one")
        return error.description
      }
    }
    let exchange = #""difference":{"itemDeletes":[[0,0,1]],"itemInserts":[[0,0,1]]},"items":[3]"#
    #expect(try refusal(exchange)?.contains("no model for “3”") == true)
    #expect(try refusal(exchange + #","models":[{"id":3,"text":""}]"#) == nil)
    #expect(
      try refusal(exchange + #","models":[{"id":3,"text":""},{"id":1,"text":""}]"#)?
        .contains("in no section") == true)
    #expect(
      try refusal(#""models":[{"id":1,"text":"x"}]"#)?.contains("not shown anew") == true)
    let shown = #""difference":{"itemReconfigures":[[0,0,1]]},"models""#
    #expect(try refusal(shown + #":[{"id":1,"text":"x"}]"#) == nil)
    #expect(
      try refusal(shown + #":[{"id":1,"text":"x"},{"id":1,"text":"y"}]"#)?.contains("two models")
        == true)
    let header = #""sectionModels":[{"id":{"number":1},"model":"two"}]"#
    #expect(try refusal(header)?.contains("not shown anew") == true)
    #expect(try refusal(#""difference":{"sectionReconfigures":[[0,1]]},"# + header) == nil)
    #expect(
      try refusal(#""sectionModels":[{"id":{"number":7}}]"#)?.contains("no section") == true)
    #expect(
      try refusal(#""sectionModels":[{"id":{"number":1},"model":7}]"#)?.contains("wrong type")
        == true)
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
