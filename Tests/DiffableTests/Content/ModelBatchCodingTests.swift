import Diffable
import DiffableTesting
import Foundation
import ListSupport
import Testing
import TestScope

/// Batches of models that are written and read again.
@Suite(.deadline) struct ModelBatchCodingTests {
  private typealias Row = CodedRow
  private typealias Header = CodedHeader
  private typealias Rows = CodedRows
  private typealias Batch = ModelBatch<Header, Row>

  private func expectSame(_ batch: Batch, _ comment: Comment) throws {
    let copy = try JSONDecoder().decode(Batch.self, from: JSONEncoder().encode(batch))
    #expect(copy.update == batch.update, comment)
    #expect(copy.models == batch.models && copy.sectionModels == batch.sectionModels, comment)
    #expect(Set(copy.removedItems) == Set(batch.removedItems), comment)
    for item in 0..<200 {
      #expect(copy.model(for: item) == batch.model(for: item), comment)
      #expect(copy.previousModel(for: item) == batch.previousModel(for: item), comment)
    }
    for number in 0..<20 {
      let section = Header(number: number)
      #expect(copy.sectionModel(for: section) == batch.sectionModel(for: section), comment)
    }
    // What was read can be written again, to the same.
    let again = try JSONDecoder().decode(Batch.self, from: JSONEncoder().encode(copy))
    #expect(again.update == batch.update && again.models == batch.models, comment)
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `What is read is what was written`(seed: UInt64) async throws {
    var changes = CodedRowChanges(seed: seed)
    let source = Rows()
    var batches = source.updates().makeAsyncIterator()
    var taken = Revision.empty
    for step in 0..<rounds(25, least: 10) {
      await changes.change(source)
      guard await source.revision > taken, changes.generator.random.chance(oneIn: 2),
        let batch = await batches.next()
      else { continue }
      taken = batch.update.target
      try expectSame(batch, "seed \(seed), step \(step)")
    }
    #expect(taken > .empty)
  }

  private struct Mute: ModelledSection, Codable {
    struct SectionModel: Equatable, Sendable {}
  }

  @Test func `A section whose model cannot be written is an error`() async throws {
    let source = ModelSource<Mute, Row>()
    try await source.apply([Row(id: 1)]) { _ in Mute() }
    var batches = source.updates().makeAsyncIterator()
    let bare = try #require(await batches.next())
    #expect(
      try JSONDecoder().decode(
        ModelBatch<Mute, Row>.self, from: JSONEncoder().encode(bare)
      ).models == bare.models)
    try await source.setSectionModel(Mute.SectionModel(), for: Mute())
    let batch = try #require(await batches.next())
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(batch) }
  }

  @Test func `Data without the model of an item is refused`() throws {
    let json = """
      {"update":{"target":"\(ResumeToken(epoch: Epoch(), revision: Revision(1)))","presentation":"reset",
        "snapshot":{"sections":[{"id":{"number":1},"items":[1,2]}]}},
       "models":[{"id":1,"text":""}]}
      """
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Batch.self, from: Data(json.utf8))
    }
  }
}
