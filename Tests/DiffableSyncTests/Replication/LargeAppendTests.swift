import Diffable
import DiffableTesting
import TestScope
import Testing

@testable import DiffableSync

/// More than an append may have.
extension SharedAppendTests {
  @Test("One that has no room in an append is made in the next one, and so are those after it")
  func large() async throws {
    let first = try await block()
    let names = [(1, 150 << 10), (2, 150 << 10), (3, 1)].map {
      String(repeating: "\($0)", count: $1)
    }
    var writes: [Write] = []
    for name in names { writes.append(try await edit { $0.appendSections([name]) }) }
    log.open()
    #expect(try await first.value == Revision(2))
    for (index, write) in writes.enumerated() {
      #expect(try await write.value == Revision(3 + index))
    }
    #expect(log.appends.prefix(3) == [1, 1, 1] && log.appends.reduce(0, +) == 5)
    #expect(await replica.snapshot.sectionIdentifiers == ["A"] + names)
  }

  @Test("Several hundred are cut into appends that a log must take")
  func many() async throws {
    let first = try await block()
    let writes = (0..<600).map { item in
      Task { [replica] in
        try await replica.update { try $0.appendItems([1_000 + item], toSection: "A") }.revision
      }
    }
    try await wait { await replica.numberOfWaitingWrites == 600 }
    log.open()
    _ = try await first.value
    var revisions: Set<Revision> = []
    for write in writes { revisions.insert(try await write.value) }
    #expect(revisions == Set((3..<603).map { Revision($0) }))
    #expect(log.appends == [1, 1, 256, 256, 88])
  }
}
