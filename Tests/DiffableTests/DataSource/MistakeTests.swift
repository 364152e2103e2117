import Diffable
import Testing

/// What a source says about the mistakes that new users make most likely: what was wrong, where,
/// that nothing was changed, and what to do.
///
/// Mistakes that the compiler finds are among the programs of `CompileTime`.
@Suite struct MistakeTests {
  struct Note: Identifiable, Equatable {
    let id: Int
    var title = ""
  }

  private let source = ModelSource<String, Note>()

  /// Makes a change that must fail, and answers what the error says.
  private func message<Failure: Error & CustomStringConvertible>(
    _ type: Failure.Type, _ change: (ModelSource<String, Note>) async throws -> Void
  ) async throws -> String {
    try await source.apply([Note(id: 1), Note(id: 2)], section: { _ in "Inbox" })
    let (before, revision) = (await source.snapshot, await source.revision)
    let error = await #expect(throws: type) { try await change(source) }
    #expect(await source.snapshot == before)
    #expect(await source.revision == revision)
    return try #require(error).description
  }

  @Test func `An item twice`() async throws {
    let message = try await message(DataSourceError.self) { source in
      try await source.update { try $0.snapshot.appendItems([2], toSection: "Inbox") }
    }
    #expect(
      message == """
        Item identifiers must be unique in the whole snapshot, but “2” is at [0, 1] and [0, 2]. \
        Nothing was changed. Keep each item once, or make its place part of the identifier.
        """)
  }

  @Test func `An unknown item`() async throws {
    let message = try await message(SnapshotError.self) { source in
      try await source.update { try $0.moveItem(7, beforeItem: 1) }
    }
    #expect(
      message == """
        The snapshot has no item “7”. Nothing was changed. Insert it first, or leave it out.
        """)
  }

  @Test func `Several unknown items`() async throws {
    let message = try await message(DataSourceError.self) { source in
      try await source.setModels([Note(id: 7), Note(id: 1, title: "new"), Note(id: 8)])
    }
    #expect(
      message == """
        The snapshot has no items “7”, “8”. Nothing was changed. Insert them first, or leave them out.
        """)
  }

  @Test func `An unknown section`() async throws {
    let message = try await message(SnapshotError.self) { source in
      try await source.update { try $0.appendItems([Note(id: 3)], toSection: "Outbox") }
    }
    #expect(
      message == """
        The snapshot has no section “Outbox”. Nothing was changed. Append it first, or leave it out.
        """)
  }

  @Test func `No section at all`() async throws {
    let message = try await message(DataSourceError.self) { source in
      try await source.updateOrder { order in
        order.deleteAllItems()
        try order.appendItems([1])
      }
    }
    #expect(
      message == """
        Items cannot be appended to the last section, since there is no section. \
        Nothing was changed. Append a section first.
        """)
  }

  @Test func `A new item without a model`() async throws {
    let message = try await message(DataSourceError.self) { source in
      try await source.updateOrder { try $0.appendItems([3]) }
    }
    #expect(
      message == """
        There is no model for “3”. Nothing was changed. Pass the model of each new item with the \
        change.
        """)
  }

  @Test func `A model whose item never comes`() async throws {
    let message = try await message(SnapshotError.self) { source in
      try await source.update { $0.setModel(Note(id: 9)) }
    }
    #expect(
      message == """
        The edit gives a model for “9”, but has no such item at its beginning, at its end, or when it \
        gives the model. Nothing was changed. Insert the item, or leave out its model. If the edit also \
        deletes the item, give the model after inserting it.
        """)
  }

  @Test func `A change after the end`() async throws {
    let message = try await message(DataSourceError.self) { source in
      await source.finish()
      try await source.setModel(Note(id: 1, title: "late"))
    }
    #expect(
      message == """
        The data source has finished and accepts no more changes. Nothing was changed. \
        Make a new source, or finish this one later.
        """)
  }

  @Test func `A change from inside an update`() async throws {
    let message = try await message(DataSourceError.self) { source in
      try await source.update { draft in
        draft.setModel(Note(id: 1, title: "outer"))
        try source.assumeIsolated { _ = try $0.setModel(Note(id: 1, title: "inner")) }
      }
    }
    #expect(
      message == """
        A change was requested from inside an update of the same source. Nothing was changed by it. \
        Edit the draft that the update passes to its closure.
        """)
  }

  @Test func `A revision that is no longer live`() async throws {
    let message = try await message(DataSourceError.self) { source in
      try await source.apply(Snapshot(), ifRevision: .empty)
    }
    #expect(
      message == """
        The change was meant for revision 0, but the source is at revision 1. Nothing was changed. \
        Make the change again for the live state, or use update, which no other writer can interrupt.
        """)
  }

  @Test func `A section that a draft appends can be filled at once`() async throws {
    try await source.update { draft in
      draft.appendSections(["Inbox"])
      try draft.appendItems([Note(id: 1)], toSection: "Inbox")
    }
    #expect(await source.snapshot.description == "Inbox[1]")
  }
}
