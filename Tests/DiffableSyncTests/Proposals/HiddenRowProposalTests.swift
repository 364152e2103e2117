import DiffableTesting
import Testing

@testable import Diffable
@testable import DiffableSync

@Suite("Owners are asked about rows that folded ones hide") struct HiddenRowProposalTests {
  private typealias State = Snapshot<String, Int>

  @Test(
    "A function that refuses what it does not know refuses rows below a folded one",
    arguments: [nil, 2])
  func hiddenRows(former: Int?) throws {
    func list(_ hidden: Int?) throws -> State {
      var list = State()
      list.appendSections(["A"])
      try list.appendItems([1])
      guard let hidden else { return list }
      var outline = try Outline([1])
      try outline.append([hidden], to: 1)
      try list.setOutline(outline, forSection: "A")
      return list
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
}
