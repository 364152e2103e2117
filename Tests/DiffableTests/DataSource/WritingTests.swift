import Diffable
import ListSupport
import TestScope
import Testing

/// Changes that are made, and changes that are refused and change nothing.
@Suite(.deadline) struct WritingTests {
  private struct Refused: Error {}

  /// Runs something that is to be refused, and checks that nobody notices anything of it.
  private func expectUnchanged(
    _ source: Source, _ refused: () async throws -> Void
  ) async throws {
    let (snapshot, revision) = await (source.snapshot, source.revision)
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    try await refused()
    #expect(await source.snapshot == snapshot)
    #expect(await source.revision == revision)
    try await source.apply(.list([77]))
    let batch = try #require(await batches.next())
    #expect(batch.base == revision && batch.target == Revision(revision.number + 1))
  }

  @Test func `An initial snapshot with duplicates is refused`() throws {
    let expected = SnapshotError.duplicateItems([
      .init(
        identifier: AnyItemID(1),
        places: [ItemPath(section: 0, item: 0), ItemPath(section: 0, item: 2)])
    ])
    #expect(throws: expected) { try Source(.duplicates()) }
  }

  @Test func `An edit that throws changes nothing`() async throws {
    let source = try Source(.list([1]))
    try await expectUnchanged(source) {
      await #expect(throws: Refused.self) {
        try await source.update { snapshot in
          snapshot.deleteAllItems()
          throw Refused()
        }
      }
      await #expect(throws: SnapshotError.unknownItem([AnyItemID(9)])) {
        try await source.update { snapshot in
          try snapshot.appendItems([2])
          try snapshot.insertItems([3], beforeItem: 9)
        }
      }
    }
  }

  @Test func `A writer that was overtaken is told so`() async throws {
    let source = try Source(.list([1]))
    let seen = await source.revision
    try await source.apply(.list([1, 2]))
    try await expectUnchanged(source) {
      await #expect(throws: DataSourceError.conflict(expected: seen, actual: Revision(2))) {
        try await source.apply(.list([1, 3]), ifRevision: seen)
      }
    }
    let now = await source.revision
    #expect(try await source.apply(.list([5]), ifRevision: now).revision == Revision(4))
  }

  @Test func `A task that is cancelled during its update has it made`() async throws {
    let source = try Source(.list([1]))
    let revision = try await Task {
      try await source.update { snapshot in
        try snapshot.appendItems([2])
        withUnsafeCurrentTask { $0?.cancel() }
      }.revision
    }.value
    #expect(revision == Revision(2))
    #expect(try await source.snapshot == .list([1, 2]))
  }

  @Test func `A change inside an update is refused, and the update goes on`() async throws {
    let source = try Source(.list([1]))
    let revision = try await source.update { snapshot in
      try snapshot.appendItems([2])
      source.assumeIsolated { source in
        #expect(throws: DataSourceError.reentrant) { try source.apply(.list([3])) }
        #expect(throws: DataSourceError.reentrant) { try source.update { $0.deleteAllItems() } }
        #expect(throws: DataSourceError.reentrant) {
          try source.update { $0.numberOfItems }
        }
        #expect((try? source.snapshot == .list([1])) == true)
        #expect(source.revision == Revision(1))
      }
    }.revision
    #expect(revision == Revision(2))
    #expect(try await source.snapshot == .list([1, 2]))
  }

  @Test func `A change by an identifier that is being compared is refused`() async throws {
    let source = DataSourceActor<String, MeddlingID>()
    var snapshot = Snapshot<String, MeddlingID>()
    snapshot.appendSections(["list"])
    try snapshot.appendItems([MeddlingID(number: 1, source: source)])
    try await source.apply(snapshot)
    try await source.apply(snapshot)
    #expect(await source.revision == Revision(1))
    try await source.update { $0.deleteAllItems() }
    #expect(await source.revision == Revision(2))
  }

  @Test func `An end from inside an update comes after it`() async throws {
    let source = try Source(.list([1]))
    var batches = source.updates(.every(limit: 9)).makeAsyncIterator()
    _ = await batches.next()
    try await source.update { snapshot in
      source.assumeIsolated { $0.finish() }
      try snapshot.appendItems([2])
    }
    #expect(await batches.next()?.target == Revision(2))
    #expect(await batches.next() == nil)
    await #expect(throws: DataSourceError.finished) { try await source.apply(.list([3])) }
  }

  @Test func `An end from inside an update that fails comes after it as well`() async throws {
    let source = try Source(.list([1]))
    let reader = Task {
      var targets: [Revision] = []
      for await batch in source.updates() { targets.append(batch.target) }
      return targets
    }
    await #expect(throws: Refused.self) {
      try await source.update { snapshot in
        source.assumeIsolated { $0.finish() }
        snapshot.deleteAllItems()
        throw Refused()
      }
    }
    #expect(try await ended { await reader.value } == [Revision(1)])
    #expect(try await source.snapshot == .list([1]))
    await #expect(throws: DataSourceError.finished) { try await source.apply(.list([3])) }
  }

  @Test func `Errors say that nothing was changed`() throws {
    let errors: [DataSourceError] = [
      .cancelled, .finished, .reentrant, .invalidSnapshot(.noSections), .unknownRevision(.empty),
      .conflict(expected: Revision(1), actual: Revision(2)),
    ]
    for error in errors { #expect(error.description.contains("Nothing was changed")) }
  }
}

/// An identifier that tries to change the source while it is compared.
private struct MeddlingID: Hashable, Sendable {
  let number: Int
  let source: DataSourceActor<String, MeddlingID>

  static func == (left: MeddlingID, right: MeddlingID) -> Bool {
    left.source.assumeIsolated { source in
      _ = #expect(throws: DataSourceError.reentrant) { try source.apply(Snapshot()) }
    }
    return left.number == right.number
  }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
