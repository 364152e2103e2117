import ListSupport
import Testing

@testable import Diffable
@testable import DiffableEngine
@testable import DiffableQueries

@Suite("Leaves that a query shares with its base") struct SharedLeavesTests {
  @Test("A filter that keeps everything shares all leaves of its base") func sharing() async throws
  {
    let base = ModelSource<Int, Note>()
    try await base.apply((0..<500).map { Note(id: $0) }, section: { _ in 0 })
    let derived = base.derived { $0.filter { $0.id >= 0 } }
    let (below, above) = (await base.snapshot, await derived.snapshot)
    let (leaves, shared) = (below.leaves, above.leaves)
    #expect(leaves.count > 5 && leaves.count == shared.count)
    #expect(zip(leaves, shared).allSatisfy { $0 === $1 })
    try await derived.setQuery { $0.filter { $0.id < 300 } }
    let fewer = await derived.snapshot.leaves
    #expect(fewer.dropLast().allSatisfy { leaf in leaves.contains { $0 === leaf } })
  }
}

extension Snapshot {
  fileprivate var leaves: [Leaf] { records.flatMap { $0.items.tree.base.leaves } }
}
