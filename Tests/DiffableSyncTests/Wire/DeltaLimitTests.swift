import Foundation
import ListSupport
import Testing

@testable import Diffable
@testable import DiffableSync

@Suite("What a delta names is counted, whatever it is") struct DeltaLimitTests {
  private static let difference = [
    ("sectionDeletes", "[[0,1],[2,3]]"), ("sectionInserts", "[[0,1],[2,3]]"),
    ("sectionReloads", "[[0,1],[2,3]]"), ("sectionReconfigures", "[[0,1],[2,3]]"),
    ("outlineChanges", "[[0,1],[2,3]]"),
    ("sectionMoves", #"[{"from":0,"to":1},{"from":3,"to":2}]"#),
    ("itemDeletes", "[[0,0,1],[1,0,1]]"), ("itemInserts", "[[0,0,1],[1,0,1]]"),
    ("itemReloads", "[[0,0,1],[1,0,1]]"), ("itemReconfigures", "[[0,0,1],[1,0,1]]"),
    (
      "itemMoves",
      #"[{"from":{"section":0,"item":0},"to":{"section":0,"item":1}},"#
        + #"{"from":{"section":1,"item":0},"to":{"section":1,"item":1}}]"#
    ),
  ].map { (#""difference":{"\#($0.0)":\#($0.1)}"#, 2) }

  private static let rest = [
    // With the update that a row with another name needs.
    (#""difference":{"itemRenames":[[0,0,1]],"itemReconfigures":[[0,0,1]]}"#, 2),
    (#""sections":[{"id":"A"},{"id":"B","items":[1,2]}]"#, 4),
    (#""sections":[{"id":"A","outline":[{"id":1},{"id":2,"level":1}]}]"#, 3),
    (#""items":[1,2]"#, 2), (#""outlines":[{"list":true}]"#, 1),
    (#""outlines":[{"outline":[{"id":1},{"id":2,"level":1}]}]"#, 3),
    (#""outlines":[{"splices":[{"at":0,"remove":1},{"at":2,"rows":[{"id":1},{"id":2}]}]}]"#, 5),
    (#""renamedItems":[{"old":1,"new":2}]"#, 1),
    (#""placedItems":[1,2]"#, 2), (#""placedSections":["A"]"#, 1),
    (#""droppedItems":[1,2]"#, 2), (#""droppedSections":["A"]"#, 1),
    (#""proposals":["\#(WriteID())","\#(WriteID())"]"#, 2),
    (#""models":[\#(card)]"#, 1), (#""seenModels":[\#(card)]"#, 1),
    (#""sectionModels":[{"id":"A"},{"id":"B"}]"#, 2), (#""seenSectionModels":[{"id":"A"}]"#, 1),
  ]

  private static let card = #"{"id":1,"column":"a","text":""}"#

  @Test("Each of them counts once", arguments: difference + rest)
  func elements(fields: String, count: Int) throws {
    let token = ResumeToken(epoch: Epoch(), revision: Revision(1))
    let text = #"""
      {"format":1,"base":"\#(token)","target":"\#(token)","counts":{"sections":3,"items":6},
      \#(fields)}
      """#
    func read(_ limit: Int) throws {
      _ = try ModelDelta<String, Card>.read(
        text.utf8, limits: DeltaLimits(elementCount: limit)
      ) { try JSONDecoder().decode(ModelDelta.self, from: Data($0)) }
    }
    try read(count)
    #expect(throws: DeltaError.tooManyElements(count: count, limit: count - 1)) {
      try read(count - 1)
    }
  }

  @Test("Of two limits the smaller one holds, whatever it is for")
  func intersection() {
    let limits: [WritableKeyPath<DeltaLimits, Int>] = [
      \.byteCount, \.depth, \.elementCount, \.listCount, \.nameByteCount,
    ]
    for limit in limits {
      var small = DeltaLimits()
      small[keyPath: limit] = 3
      #expect(small.intersection(DeltaLimits()) == small, "\(limit)")
      #expect(DeltaLimits().intersection(small) == small, "\(limit)")
    }
  }

  @Test("A row that a writer has renamed is named once")
  func renamed() throws {
    let core = SourceCore<Int, Int>(SourceOptions(), kernels: .ofNumbers(), children: nil)
    try core.begin(with: [1, 2], in: 0)
    let start = core.revision
    try core.write { try $0.renameItem(1, to: 10) }
    let reader = RevisionReader<Int, Int>(hub: core.hub)
    let delta = UpdateDelta(try #require(reader.batch(since: start, limit: .max)))
    #expect(delta.renamedItems == [ItemRename(old: 1, new: 10)])
  }
}
