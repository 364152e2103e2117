import Diffable
import DiffableSync
import DiffableTesting
import ListSupport
import Synchronization
import Testing

/// What a proposal costs does not depend on what stays.
@Suite struct ProposalCostTests {
  @Test(
    "As many identifiers are hashed and compared, however long the list is",
    .enabled(if: !checksInvariants), arguments: [false, true])
  func questions(isStale: Bool) async throws {
    func questions(_ size: Int) async throws -> Int {
      let counter = IdentifierCounter()
      func item(_ number: Int) -> CountedIdentifier {
        CountedIdentifier(number: number, counter: counter)
      }
      var snapshot = Snapshot<String, CountedIdentifier>()
      snapshot.appendSections(["list", "other"])
      try snapshot.appendItems((0..<size).map(item), toSection: "list")
      let source = try DataSourceActor(snapshot)
      var count = 0
      for step in 0..<4 {
        let (base, revision) = (await source.snapshot, await source.revision)
        var next = base
        try next.insertItems([item(size + step)], beforeItem: item(3))
        try next.moveItem(item(7), afterItem: item(step))
        next.deleteItems([item(40 + step)])
        let proposal = Proposal(
          try UpdateBatch(from: base, to: next), basedOn: source.token(for: revision))
        if isStale {
          let _: Revision = try await source.update { snapshot in
            try snapshot.moveItem(item(100 + step), toSection: "other")
          }
        }
        counter.reset()
        guard case .accepted = try await source.accept(proposal, { _, _ in }) else {
          Issue.record("refused")
          return 0
        }
        count +=
          counter.hashes.load(ordering: .relaxed) + counter.comparisons.load(ordering: .relaxed)
        #expect(await source.snapshot.containsItem(item(size + step)))
      }
      return count
    }
    let (few, many) = (try await questions(500), try await questions(20_000))
    #expect(many < few * 2 + 200, "\(few) for 500 items, \(many) for 20,000")
  }
}
