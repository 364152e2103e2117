import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

@Suite("Owners are asked about rows that folded ones hide", .deadline)
struct HiddenRowProposalTests {
  private typealias State = Snapshot<String, Int>

  @Test(
    "A function that refuses what it does not know refuses rows below a folded one",
    arguments: [nil, 2])
  func hiddenRows(former: Int?) throws {
    func list(_ hidden: Int?) throws -> State {
      guard let hidden else { return State(sections: ["A"], items: [[1]]) }
      return try State(Outline([1, hidden], levels: [0, 1]), in: "A")
    }
    let owner = SourceCore<String, Int>(
      SourceOptions(), kernels: State.makeKernels(), children: nil)
    try owner.begin(with: list(former))
    let batch = try UpdateBatch(from: list(former), to: list(3))
    let proposal = Proposal(batch, basedOn: owner.hub.token(for: owner.revision))
    let answer = try owner.accept(proposal) { change, _ in
      #expect(change.changes.last == .updateSection("A", at: 0))
      #expect(change.batch.snapshot.outline(ofSection: "A")?.items == [1, 3])
      for case .updateSection in change.changes { throw Refusal(code: "no", reason: "No.") }
    }
    #expect(answer.refusal?.code == "no")
    #expect(try owner.snapshot == list(former))
  }

  @Test("A section is updated where hidden rows have other models, or come with it")
  func hiddenModels() async throws {
    let source = ModelSource<String, Card>()
    try await source.update { draft in
      draft.appendSections(["s"])
      try draft.appendItems([Card(id: 1), Card(id: 2)], toSection: "s")
      try draft.snapshot.setOutline(Outline([1, 2], levels: [0, 1]), forSection: "s")
    }
    let base = source.token(for: await source.revision)
    func models(_ ids: Int...) -> String {
      let cards = ids.map { #"{"id":\#($0),"column":"a","text":"x"}"# }
      return #""models":[\#(cards.joined(separator: ","))]"#
    }
    let outline = #"[{"id":3},{"id":4,"level":1}]"#
    for (fields, expected) in [
      (models(2), [.updateSection("s", at: 0)]),
      (
        #""difference":{"sectionInserts":[[1,2]]},"sections":[{"id":"t","outline":\#(outline)}],"#
          + models(3, 4),
        [.insertSection("t", items: [3], at: 1), .updateSection("t", at: 1)]
      ),
    ] as [(String, [ListChange<String, Int>])] {
      let text = #"{"format":1,"id":"\#(WriteID())","base":"\#(base)",\#(fields)}"#
      let proposal = try JSONDecoder().decode(
        Proposal<ModelBatch<String, Card>>.self, from: Data(text.utf8))
      let answer = try await source.accept(proposal) { change, _ in
        #expect(change.changes == expected)
        throw Refusal(code: "no", reason: "No.")
      }
      #expect(answer.refusal?.code == "no")
    }
  }
}
