import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@Suite("A proposal that does not fit is refused, and changes nothing", .deadline)
struct DamagedProposalTests {
  typealias Ordered = Proposal<UpdateBatch<String, Int>>

  /// Lets a source take a text; returns whether it does, or the code of the refusal.
  private func answer(
    to text: String, from source: DataSourceActor<String, Int>, limits: DeltaLimits = DeltaLimits()
  ) async throws -> String? {
    let before = await source.snapshot
    let revision = await source.revision
    var code: String?
    do throws(DeltaError) {
      let proposal = try Ordered.read(text.utf8, limits: limits) {
        try JSONDecoder().decode(Ordered.self, from: Data($0))
      }
      var answer: ProposalAnswer<UpdateBatch<String, Int>>?
      do { answer = try await source.accept(proposal) { _, _ in } } catch {
        Issue.record("\(error): \(text)")
      }
      switch answer {
      case .refused(let refusal): code = refusal.code
      case .unknownBase: code = "unknownBase"
      default: code = nil
      }
    } catch {
      code = error.code
    }
    let after = await source.snapshot
    try after.validate()
    if code != nil {
      #expect(after == before, "\(text)")
      #expect(await source.revision == revision, "\(text)")
    }
    return code
  }

  @Test("A field that is missing is named", arguments: ["format", "id", "base"])
  func missing(field: String) throws {
    let fields = ["format": "1", "id": "\"\(WriteID())\"", "base": "\"AAAA\""]
    let rest = fields.filter { $0.key != field }.map { "\"\($0.key)\":\($0.value)" }
    #expect(throws: DeltaError.undecodable(reason: "“\(field)” is missing at $")) {
      _ = try Ordered.read("{\(rest.joined(separator: ","))}".utf8) {
        try JSONDecoder().decode(Ordered.self, from: Data($0))
      }
    }
  }

  @Test("Forged, huge and senseless proposals")
  func forged() async throws {
    let source = try DataSourceActor<String, Int>(.list([1, 2, 3]))
    let base = source.token(for: await source.revision).description
    func text(_ fields: String, base: String? = nil) -> String {
      let base = base ?? source.token(for: Revision(1)).description
      return
        #"{"format":1,"id":"\#(WriteID())","base":"\#(base)"\#(fields.isEmpty ? "" : ",")\#(fields)}"#
    }
    let huge = 1 << 52
    let section = try #require(await source.snapshot.sectionIdentifiers.first)
    let expected: [(String, String?)] = [
      (text(""), nil), (text(#""difference":{"itemDeletes":[[0,0,9]]}"#), "misfit"),
      (text(#""difference":{"itemDeletes":[[0,0,\#(huge)]]}"#), "misfit"),
      (text(#""difference":{"itemInserts":[[0,0,\#(huge)]]},"items":[7]"#), "misfit"),
      (text(#""difference":{"itemInserts":[[0,0,1]]},"items":[2]"#), "duplicateItems"),
      (text(#""difference":{"itemInserts":[[0,0,2]]},"items":[7,7]"#), "duplicateItems"),
      (text(#""difference":{"itemInserts":[[0,0,1]]}"#), "misfit"),
      (
        text(
          #""difference":{"itemMoves":[{"from":{"section":9,"item":0},"to":{"section":0,"item":0}}]}"#
        ), "misfit"
      ),
      (
        text(#""difference":{"sectionInserts":[[0,1]]},"sections":[{"id":"\#(section)"}]"#),
        "duplicateSections"
      ),
      (text(#""difference":{"outlineChanges":[[0,1]]},"outlines":[{"list":true}]"#), "misfit"),
      (text("", base: "AAAA"), "unknownBase"),
      (text("", base: source.token(for: Revision(7)).description), "unknownBase"),
      (#"{"format":1,"id":"short","base":"\#(base)"}"#, "undecodable"),
      (#"{"format":2,"id":"\#(WriteID())","base":"\#(base)"}"#, "unknownFormat"),
      (text(#""x":"\#(String(repeating: "y", count: 5000))""#), "tooLong"),
      (
        text(#""x":\#(String(repeating: "[", count: 40))\#(String(repeating: "]", count: 40))"#),
        "tooDeep"
      ),
      (
        text(
          #""difference":{"itemInserts":[[0,0,60]]},"items":[\#((10..<70).map(String.init).joined(separator: ","))]"#
        ), "tooManyElements"
      ),
      (
        text(
          #""difference":{"itemInserts":[[0,0,8]]},"items":[\#((10..<18).map(String.init).joined(separator: ","))]"#
        ), "tooManyElements"
      ),
      (text(#""name":"\#(String(repeating: "n", count: 40))""#), nil),
      (text(#""name":"\#(String(repeating: "n", count: 41))""#), "misfit"),
      // One character.
      (text(#""name":"n\#(String(repeating: "\u{301}", count: 40))""#), "misfit"),
    ]
    var limits = DeltaLimits(
      byteCount: 4000, depth: 30, elementCount: 50, listCount: 10, nameByteCount: 40)
    for (text, code) in expected {
      let found = try await answer(to: text, from: source, limits: limits)
      #expect(found == code, "\(text)")
    }
    limits = DeltaLimits()
    // A mirror takes no proposals, and a source no deltas.
    let mirror = MirrorSource<UpdateBatch<String, Int>>()
    try await mirror.apply(UpdateDelta(UpdateBatch(showing: await source.snapshot)))
    await #expect(throws: DeltaError.self) {
      try await mirror.apply(text("").utf8) {
        try JSONDecoder().decode(UpdateDelta.self, from: Data($0))
      }
    }
  }

  @Test("Models of strangers, and items without models")
  func models() async throws {
    let source = ModelSource<String, Card>()
    try await source.apply([Card(id: 1)], section: { _ in "s" })
    let base = source.token(for: Revision(1))
    let card = #"{"id":7,"column":"a","text":""}"#
    for (fields, code) in [
      (#""models":[\#(card)]"#, "misfit"),
      (#""difference":{"itemInserts":[[0,0,1]]},"items":[7]"#, "missingModels"),
      (
        #""difference":{"itemInserts":[[0,0,1]]},"items":[7],"models":[\#(card),\#(card)]"#,
        "misfit"
      ),
      (#""sectionModels":[{"id":"t"}]"#, "misfit"),
      (#""seenModels":[\#(card),\#(card)]"#, "misfit"),
    ] {
      let text = #"{"format":1,"id":"\#(WriteID())","base":"\#(base)",\#(fields)}"#
      let proposal = try JSONDecoder().decode(
        Proposal<ModelBatch<String, Card>>.self, from: Data(text.utf8))
      let refusal = try #require(try await source.accept(proposal, { _, _ in }).refusal)
      #expect(refusal.code == code, "\(text)")
      #expect(refusal.reason.hasSuffix("Nothing was changed."))
      #expect(await source.revision == Revision(1))
    }
  }

  @Test("Proposals of one state do not make the list longer together than each of them may")
  func longerMeanwhile() async throws {
    typealias Batch = UpdateBatch<String, Int>
    let source = try DataSourceActor<String, Int>(.list([1]))
    let start = await source.snapshot
    let base = source.token(for: await source.revision)
    for item in 2...5 {
      let batch = try UpdateBatch(from: start, to: .list([1, item]))
      let text = try JSONEncoder().encode(Proposal(batch, basedOn: base))
      let proposal = try Proposal<Batch>.read(text, limits: DeltaLimits(listCount: 3)) {
        try JSONDecoder().decode(Proposal.self, from: $0)
      }
      let answer = try await source.accept(proposal) { _, _ in }
      #expect(answer.refusal?.code == (item > 3 ? "tooManyElements" : nil))
    }
    #expect(await source.snapshot.numberOfItems == 3)
  }

  @Test("Rows that folded ones hide count")
  func hiddenRows() async throws {
    func list(_ hidden: [Int]) throws -> Snapshot<String, Int> {
      try Snapshot(Outline([1] + hidden, levels: [0] + hidden.map { _ in 1 }), in: "A")
    }
    let source = try DataSourceActor(list([2]))
    let base = source.token(for: await source.revision)
    for hidden in [[2, 3], [3]] {
      let batch = try UpdateBatch(from: list([2]), to: list(hidden))
      let text = try JSONEncoder().encode(Proposal(batch, basedOn: base))
      let code = try await answer(
        to: String(decoding: text, as: UTF8.self), from: source, limits: DeltaLimits(listCount: 2))
      #expect(code == (hidden.count > 1 ? "tooManyElements" : nil))
    }
    #expect(await source.snapshot.containsItem(3))
  }

  @Test("A name is measured, however the proposal was made")
  func longName() async throws {
    let source = try DataSourceActor<String, Int>(.list([1, 2, 3]))
    let start = await source.snapshot
    let batch = try UpdateBatch(from: start, to: .list([1, 2, 3, 4]))
    let base = source.token(for: await source.revision)
    for (name, code) in [(1000, nil), (1001, "misfit")] as [(Int, String?)] {
      let proposal = Proposal(batch, basedOn: base, named: String(repeating: "n", count: name))
      let answer = try await source.accept(proposal) { _, _ in }
      if case .refused(let refusal) = answer {
        #expect(refusal.code == code)
      } else {
        #expect(code == nil)
      }
    }
  }

  @Test("What an owner keeps of a refused proposal does not grow with what that names")
  func longReason() async throws {
    for part in ["x", "\u{301}"] {
      let long = String(repeating: part, count: 100_000)
      let source = DataSourceActor<Int, String>()
      try await source.update { $0.appendSections([0]) }
      let base = source.token(for: await source.revision)
      let text = #"""
        {"format":1,"id":"\#(WriteID())","base":"\#(base)","difference":{"itemInserts":[[0,0,2]]},
        "items":["\#(long)","\#(long)"]}
        """#
      let proposal = try JSONDecoder().decode(
        Proposal<UpdateBatch<Int, String>>.self, from: Data(text.utf8))
      let refusal = try #require(try await source.accept(proposal, { _, _ in }).refusal)
      #expect(refusal.code == "duplicateItems")
      #expect(refusal.reason.utf8.count < 5_000 && refusal.reason.hasSuffix("Nothing was changed."))
    }
  }

  @Test("Random damage", arguments: 0..<scoped(usual: 4, wide: 16 as UInt64))
  func damaged(seed: UInt64) async throws {
    var generator = SnapshotGenerator(seed: seed, section: { "s\($0)" }, item: { $0 })
    var (taken, refused) = (0, 0)
    for _ in 0..<rounds(24, least: 6) {
      let start = generator.snapshot(.uneven(sections: 3, items: 12))
      let changes: [SnapshotChange] = [.changedOutlines, .renamedItems, .mixed]
      let next = generator.changing(start, by: generator.random.element(of: changes) ?? .mixed)
      let source = try DataSourceActor(start)
      let token = source.token(for: await source.revision)
      let proposal = Proposal(try UpdateBatch(from: start, to: next), basedOn: token)
      let whole = try JSONSerialization.jsonObject(with: JSONEncoder().encode(proposal))
      let object = try #require(whole as? [String: Any])
      for _ in 0..<12 {
        let source = try DataSourceActor(start, options: SourceOptions(epoch: source.epoch))
        var damaged = Mutation.of(object, &generator.random)
        if generator.random.chance(oneIn: 3) { damaged = Mutation.of(damaged, &generator.random) }
        let text = try JSONSerialization.data(withJSONObject: damaged)
        let code = try await answer(to: String(decoding: text, as: UTF8.self), from: source)
        if code == nil { taken += 1 } else { refused += 1 }
      }
    }
    #expect(taken > 0 && refused > 0, "seed \(seed)")
  }
}
