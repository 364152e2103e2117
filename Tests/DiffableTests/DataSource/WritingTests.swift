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
    var batches = await source.changes()
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
      // A way that throws errors of one type hands on an error of the edit's own.
      let error = await #expect(throws: DataSourceError.self) {
        try await source.updateOrder { snapshot in
          snapshot.deleteAllItems()
          throw Refused()
        }
      }
      guard case .failed(let failure)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(failure.error is Refused && error?.description == "\(Refused())")
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
    var batches = await source.changes(.every(limit: 9))
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

/// What a source says about the mistakes that new users make most likely: what was wrong, where,
/// that nothing was changed, and what to do.
///
/// Mistakes that the compiler finds are among the programs of `CompileTime`.
@Suite(.deadline) struct MistakeTests {
  struct Note: Identifiable, Equatable {
    let id: Int
    var title = ""
  }

  private let source = ModelSource<String, Note>()

  /// A mistake, and what is said about it.
  private struct Mistake: CustomTestStringConvertible {
    let testDescription: String
    let message: String
    let make: @Sendable (ModelSource<String, Note>) async throws -> Void

    init(
      _ name: String, _ message: String,
      _ make: @escaping @Sendable (ModelSource<String, Note>) async throws -> Void
    ) {
      (testDescription, self.message, self.make) = (name, message, make)
    }
  }

  private static let mistakes = [
    Mistake(
      "An item twice",
      """
      Item identifiers must be unique in the whole snapshot, but “2” is at [0, 1] and [0, 2]. \
      Nothing was changed. Keep each item once, or make its place part of the identifier.
      """
    ) { try await $0.update { try $0.snapshot.appendItems([2], toSection: "Inbox") } },
    Mistake(
      "An unknown item",
      "The snapshot has no item “7”. Nothing was changed. Insert it first, or leave it out."
    ) { try await $0.update { try $0.moveItem(7, beforeItem: 1) } },
    Mistake(
      "Several unknown items",
      "The snapshot has no items “7”, “8”. Nothing was changed. Insert them first, or leave them out."
    ) { try await $0.setModels([Note(id: 7), Note(id: 1, title: "new"), Note(id: 8)]) },
    Mistake(
      "An unknown section",
      "The snapshot has no section “Outbox”. Nothing was changed. Append it first, or leave it out."
    ) { try await $0.update { try $0.appendItems([Note(id: 3)], toSection: "Outbox") } },
    Mistake(
      "No section at all",
      """
      Items cannot be appended to the last section, since there is no section. \
      Nothing was changed. Append a section first.
      """
    ) { source in
      try await source.updateOrder { order in
        order.deleteAllItems()
        try order.appendItems([1])
      }
    },
    Mistake(
      "A new item without a model",
      "There is no model for “3”. Nothing was changed. Pass the model of each new item with the change."
    ) { try await $0.updateOrder { try $0.appendItems([3]) } },
    Mistake(
      "A model whose item never comes",
      """
      The edit gives a model for “9”, but has no such item at its beginning, at its end, or when it \
      gives the model. Nothing was changed. Insert the item, or leave out its model. If the edit also \
      deletes the item, give the model after inserting it.
      """
    ) { try await $0.update { $0.setModel(Note(id: 9)) } },
    Mistake(
      "A change after the end",
      """
      The data source has finished and accepts no more changes. Nothing was changed. \
      Make a new source, or finish this one later.
      """
    ) { source in
      await source.finish()
      try await source.setModel(Note(id: 1, title: "late"))
    },
    Mistake(
      "A change from inside an update",
      """
      A change was requested from inside an update of the same source. Nothing was changed by it. \
      Edit the draft that the update passes to its closure.
      """
    ) { source in
      try await source.update { draft in
        draft.setModel(Note(id: 1, title: "outer"))
        try source.assumeIsolated { _ = try $0.setModel(Note(id: 1, title: "inner")) }
      }
    },
    Mistake(
      "A revision that is no longer live",
      """
      The change was meant for revision 0, but the source is at revision 1. Nothing was changed. \
      Make the change again for the live state, or use update, which no other writer can interrupt.
      """
    ) { try await $0.apply(Snapshot(), ifRevision: .empty) },
  ]

  @Test(arguments: mistakes)
  private func `Each is said in a sentence, and changes nothing`(_ mistake: Mistake) async throws {
    try await source.apply([Note(id: 1), Note(id: 2)], section: { _ in "Inbox" })
    let (before, revision) = (await source.snapshot, await source.revision)
    let error = await #expect(throws: (any Error).self) { try await mistake.make(source) }
    #expect(await source.snapshot == before)
    #expect(await source.revision == revision)
    #expect(error.map { "\($0)" } == mistake.message)
  }

  @Test func `A section that a draft appends can be filled at once`() async throws {
    try await source.update { draft in
      draft.appendSections(["Inbox"])
      try draft.appendItems([Note(id: 1)], toSection: "Inbox")
    }
    #expect(await source.snapshot.description == "Inbox[1]")
  }
}
