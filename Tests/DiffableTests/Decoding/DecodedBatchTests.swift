import Diffable
import DiffableTesting
import Foundation
import Testing
import TestScope

@Suite("A decoded value fits itself, or a typed error says what is wrong")
struct DecodedBatchTests {
  struct Row: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    var text = 0
  }

  struct Header: ModelledSection, Codable, CustomStringConvertible {
    typealias SectionModel = String
    let description: String
    init(_ description: String) { self.description = description }
    init(from decoder: any Decoder) throws {
      self.init(try decoder.singleValueContainer().decode(String.self))
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(description)
    }
  }

  typealias Batch = UpdateBatch<String, Int>
  typealias Stage = UpdateStage<String, Int>

  /// What is wrong with a text, in words; `nil` if nothing.
  private func fault<Value: Decodable>(_ type: Value.Type, _ json: String) -> String? {
    do {
      _ = try JSONDecoder().decode(type, from: Data(json.utf8))
      return nil
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
    } catch {
      return "another error: \(error)"
    }
  }

  private func expect<Value: Decodable>(_ type: Value.Type, _ json: String, _ words: String) {
    let fault = fault(type, json)
    #expect(fault?.contains(words) == true, "\(fault ?? "nothing") for \(json)")
  }

  private let epoch = Epoch()

  /// A token as JSON.
  private func token(_ revision: Int) -> String {
    "\"\(ResumeToken(epoch: epoch, revision: Revision(revision)))\""
  }

  private let one = #"{"sections":[{"id":"A","items":[1]}]}"#

  @Test func `Batches`() {
    func expectReset(_ members: String, _ words: String) {
      expect(Batch.self, #"{"target":\#(token(2)),"presentation":"reset",\#(members)}"#, words)
    }
    func expectChange(_ members: String, _ words: String) {
      expect(
        Batch.self,
        #"{"base":\#(token(1)),"target":\#(token(2)),"presentation":"animated",\#(members)}"#, words
      )
    }
    let twice = #"{"sections":[{"id":"A","items":[1,2,1]}]}"#
    let sections = #"{"sections":[{"id":"A","items":[1]},{"id":"A","items":[]}]}"#
    expectReset(#""snapshot":\#(twice)"#, "“1” is at [0, 0] and [0, 2]")
    expectReset(#""snapshot":\#(sections)"#, "“A” is at indices 0 and 1")
    expectReset(#""snapshot":\#(one),"previousSnapshot":\#(one)"#, "has no snapshot before it")
    expectReset(
      #""snapshot":\#(one),"difference":{"sectionReloads":[[0,1]]}"#, "has no difference")
    expectChange(#""snapshot":\#(one)"#, "has a snapshot before it")
    expectChange(#""snapshot":\#(one),"previousSnapshot":\#(twice)"#, "“1” is at")
    expectChange(
      #""snapshot":\#(one),"previousSnapshot":\#(one),"difference":{"itemReloads":[[0,0,2]]}"#,
      "itemReloads names items 0..<2 of section 0, which has 1")
    expectChange(
      #""snapshot":\#(one),"previousSnapshot":\#(one),"difference":{"itemDeletes":[[0,0,1]]}"#,
      "its replay ends elsewhere")
    expectChange(
      #""snapshot":\#(one),"previousSnapshot":{"sections":[]}"#, "its replay ends elsewhere")
    expect(
      Batch.self,
      """
      {"base":\(token(3)),"target":\(token(2)),"presentation":"animated",
       "snapshot":\(one),"previousSnapshot":\(one)}
      """,
      "r2 is older than the base")
    expect(
      Batch.self, #"{"target":"r2","presentation":"reset","snapshot":\#(one)}"#,
      "not that of a token")
    #expect(
      fault(
        Batch.self,
        #"{"target":\#(token(0)),"presentation":"reset","snapshot":{"sections":[]}}"#) == nil)
  }

  @Test func `Stages`() {
    func expectStage(_ difference: String, isReset: Bool = false, _ words: String?) {
      let json = #"{"difference":{\#(difference)},"snapshot":\#(one),"isReset":\#(isReset)}"#
      guard let words else { return #expect(fault(Stage.self, json) == nil, "\(json)") }
      expect(Stage.self, json, words)
    }
    expectStage("", isReset: true, nil)
    expectStage(#""sectionInserts":[[0,1]]"#, isReset: true, "a reset has none")
    expectStage(
      #""sectionInserts":[[0,2]]"#,
      "sectionInserts names sections 0..<2, but the number of sections is 1")
    expectStage(#""itemReconfigures":[[0,1,2]]"#, "itemReconfigures names items 1..<2")
    // One item stays, three go: there were four.
    expectStage(#""itemDeletes":[[0,1,4]]"#, nil)
    expectStage(
      #""itemDeletes":[[0,2,5]]"#, "itemDeletes names items 2..<5 of section 0, which has 4")
    expectStage(#""itemReloads":[[0,1,2]]"#, "itemReloads names items 1..<2")
    expectStage(#""sectionDeletes":[[0,3]]"#, nil)
    expectStage(
      #""sectionDeletes":[[2,3]]"#,
      "sectionDeletes names sections 2..<3, but the number of sections is 2")
    expectStage(#""sectionDeletes":[[0,1]],"sectionReloads":[[2,3]]"#, "sectionReloads names")
    expectStage(#""sectionMoves":[{"from":1,"to":0}]"#, "sectionMoves names section 1")
    expect(
      Stage.self,
      #"{"difference":{},"snapshot":{"sections":[{"id":"A","items":[1,1]}]},"isReset":true}"#,
      "“1” is at")
  }

  @Test func `Batches of models`() {
    func batch(_ update: String, _ models: String) -> String {
      #"{"update":{"target":\#(token(2)),"presentation":"animated",\#(update)},\#(models)}"#
    }
    func expectModels(_ update: String, _ models: String, _ words: String?) {
      let json = batch(update, models)
      guard let words else { return #expect(fault(ModelBatch<Header, Row>.self, json) == nil) }
      expect(ModelBatch<Header, Row>.self, json, words)
    }
    let reset = #""snapshot":\#(one)"#
    let (old, new) = (#"{"id":1,"text":0}"#, #"{"id":1,"text":1}"#)
    expectModels(reset, #""models":[\#(old)],"sections":[{"id":"A","model":"a"}]"#, nil)
    expectModels(reset, #""models":[]"#, "“1” has no model")
    expectModels(reset, #""models":[\#(old),\#(new)]"#, "“1” has two models")
    expectModels(reset, #""models":[\#(old),{"id":2,"text":0}]"#, "“2”, which is in no section")
    expectModels(
      reset, #""models":[\#(old)],"sections":[{"id":"B","model":"b"}]"#, "no section “B”")
    expectModels(
      reset, #""models":[\#(old)],"sections":[{"id":"A"},{"id":"A"}]"#, "“A” appears twice")
    expectModels(reset, #""models":[\#(old)],"previousModels":[]"#, "cannot have this field")
    expectModels(
      #""snapshot":\#(one),"difference":{"sectionInserts":[[0,9223372036854775807]]}"#,
      #""models":[\#(old)]"#, "not a range of indices")
    expectModels(
      #""snapshot":\#(one),"difference":{"sectionInserts":[[0,9007199254740991]]}"#,
      #""models":[\#(old)]"#, "has no difference")

    let change = #""base":\#(token(1)),"previousSnapshot":\#(one),"snapshot":\#(one)"#
    let shown = #""difference":{"itemReconfigures":[[0,0,1]],"sectionReconfigures":[[0,1]]}"#
    expectModels(change, #""models":[\#(new)]"#, nil)
    expectModels(change + "," + shown, #""models":[\#(new)],"previousModels":[\#(old)]"#, nil)
    expectModels(
      change, #""models":[\#(new)],"previousModels":[\#(old)]"#, "model of “1” has changed"
    )
    expectModels(
      change, #""models":[\#(new)],"previousSections":[{"id":"A","model":"a"}]"#,
      "model of “A” has changed")
    expectModels(
      change + "," + shown, #""models":[\#(new)],"previousModels":[{"id":2,"text":0}]"#,
      "“2”, which is in no section")
    expectModels(
      change + "," + shown, #""models":[\#(new)],"previousSections":[{"id":"B","model":"a"}]"#,
      "no section “B”")
  }

  @Test func `Paths, outlines and marks`() throws {
    expect(ItemPath.self, #"{"section":-1,"item":0}"#, "No item can be at")
    expect(ItemPath.self, #"{"section":0,"item":9007199254740991}"#, "No item can be at")
    let path = ItemPath(section: 3, item: 4)
    #expect(try JSONDecoder().decode(ItemPath.self, from: JSONEncoder().encode(path)) == path)
    expect(Outline<Int>.self, #"[{"id":1},{"id":2,"level":2}]"#, "at most one level below")
    expect(Outline<Int>.self, #"[{"id":1,"level":-1}]"#, "No row is at level -1")
    expect(Outline<Int>.self, #"[{"id":1},{"id":1}]"#, "“1” is at")
    do {
      let json = #"{"sections":[{"id":"A","items":[1]}],"reload":[2]}"#
      _ = try JSONDecoder().decode(Snapshot<String, Int>.self, from: Data(json.utf8))
      Issue.record("accepted")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.underlyingError as? SnapshotError == .unknownItem([AnyItemID(2)]))
    }
  }

  @Test func `An outline as deep as it is long takes no stack`() throws {
    let depth = scoped(usual: 20_000, wide: 100_000)
    let rows = (0..<depth).map { #"{"id":\#($0),"level":\#($0),"expanded":true}"# }
    func batch(_ rows: [String]) -> String {
      """
      {"target":\(token(1)),"presentation":"reset",
       "snapshot":{"sections":[{"id":"A","outline":[\(rows.joined(separator: ","))]}]}}
      """
    }
    let deep = try JSONDecoder().decode(Batch.self, from: Data(batch(rows).utf8)).snapshot
    #expect(deep.numberOfItems == depth)
    let less = try JSONDecoder()
      .decode(Batch.self, from: Data(batch(rows.dropLast(7)).utf8)).snapshot
    let change = try UpdateBatch(from: less, to: deep)
    #expect(change.difference.itemInserts.count == 7)
    let copy = try JSONDecoder().decode(Batch.self, from: JSONEncoder().encode(change))
    #expect(copy == change)
    for profile in [ListProfile.collectionView, .sequential] {
      #expect(copy.stages(for: profile).last?.snapshot == deep)
    }
    #expect(deep.outline(ofSection: "A")?.description.isEmpty == false)
  }
}
