import Diffable
import DiffableTesting
import Foundation
import Testing

/// Batches of models that are written and read again.
@Suite(.timeLimit(.minutes(15))) struct ModelBatchCodingTests {
  struct Row: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    var text = 0
  }

  struct Header: ModelledSection, Codable, CustomStringConvertible {
    typealias SectionModel = String
    let number: Int
    var description: String { "\(number)" }
  }

  private typealias Rows = ModelSource<Header, Row>
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
    var generator = SnapshotGenerator(seed: seed, section: { Header(number: $0) }, item: { $0 })
    let source = Rows()
    var batches = source.updates().makeAsyncIterator()
    var taken = Revision.empty
    for step in 0..<25 * effort {
      let edit = generator.outlineEdit(of: await source.snapshot)
      let rows = (0..<200).map { Row(id: $0, text: generator.random.number(below: 30) / 28) }
      let headers = (0..<20).map { _ in
        generator.random.chance(oneIn: 4) ? nil : "\(generator.random.number(below: 2))"
      }
      _ = try? await source.update { draft in
        draft.setModels(rows)
        try edit.apply(to: &draft.snapshot)
        for section in draft.snapshot.sectionIdentifiers where section.number < headers.count {
          try draft.setSectionModel(headers[section.number], for: section)
        }
      }
      guard await source.revision > taken, generator.random.chance(oneIn: 2),
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
       "models":[{"id":1,"text":0}]}
      """
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Batch.self, from: Data(json.utf8))
    }
  }
}
