import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// Everything that is kept by identifier follows a row that gets another identifier.
@Suite("What is kept by identifier follows a rename", .deadline)
struct RenamedKeeperTests {
  typealias Cards = ModelSource<String, Card>

  private func cards(_ ids: some Sequence<Int> & SendableMetatype) async throws -> Cards {
    let source = Cards(dropHandler: { card, column in card.column = column })
    try await source.apply(
      ids.map { Card(id: $0, text: "\($0)") }, section: \.column, sections: ["a", "b"])
    return source
  }

  // MARK: Merging

  @Test func `A model that cannot be renamed is a conflict, and not lost silently`() async throws {
    let source = Notes()
    try await source.apply([Note(id: 1), Note(id: 2)], section: \.folder)
    let (base, revision) = (await source.snapshot, await source.revision)
    try await source.update { try $0.renameItem(2, to: Note(id: 20)) }
    let merged = try await source.merge(
      base, models: [Note(id: 1, title: 9), Note(id: 2, title: 9)], basedOn: revision)
    #expect(merged.conflicts == [.item(20, .editedButRenamed)])
    #expect(await source.model(for: 1)?.title == 9)
    #expect(await source.model(for: 20)?.title == 0)
  }

  @Test(arguments: [false, true])
  func `That is told beside what has become of its row`(isDeleted: Bool) async throws {
    let source = Notes()
    try await source.apply((1...4).map { Note(id: $0) }, section: \.folder)
    let revision = await source.revision
    var mine = await source.snapshot
    try mine.moveItem(2, afterItem: 4)
    try await source.update { try $0.renameItem(2, to: Note(id: 20)) }
    try await source.updateOrder { order in
      if isDeleted { order.deleteItems([20]) } else { try order.moveItem(20, afterItem: 3) }
    }
    let merged = try await source.merge(
      mine, models: [Note(id: 2, title: 9)], basedOn: revision)
    let expected: [Contradiction] =
      isDeleted ? [.movedButDeleted, .changedButDeleted] : [.movedTwice, .editedButRenamed]
    #expect(merged.conflicts == expected.map { .item(20, $0) })
    #expect(merged.versions(of: 20, as: Note.self)?.mine?.title == (isDeleted ? 9 : nil))
    #expect(await source.model(for: 20)?.title == (isDeleted ? nil : 0))
  }

  @Test func `A drop changes the column of a card that was named during the drag`() async throws {
    let source = try await cards(1...3)
    var drag = try #require(try await source.beginReorder([2]))
    _ = try drag.proposed(to: .end(of: "b"))
    try await source.update { try $0.renameItem(2, to: Card(id: 20)) }
    let drop = try #require(try await drag.commit())
    #expect(drop.conflicts.isEmpty)
    #expect("\(drop.finalSnapshot)" == "a[1 3] b[20]")
    #expect(await source.model(for: 20)?.column == "b")
  }

  @Test(arguments: [false, true])
  func `A drop changes no card that was given the name of the dragged one`(isDeleted: Bool)
    async throws
  {
    let source = try await cards(1...3)
    var drag = try #require(try await source.beginReorder([1]))
    _ = try drag.proposed(to: .end(of: "b"))
    try await source.update { draft in
      if isDeleted { draft.deleteItems([1]) } else { try draft.renameItem(1, to: Card(id: 10)) }
    }
    try await source.update { try $0.renameItem(2, to: Card(id: 1)) }
    let drop = try #require(try await drag.commit())
    #expect("\(drop.finalSnapshot)" == (isDeleted ? "a[1 3] b[]" : "a[1 3] b[10]"))
    for card in await source.elements {
      #expect(card.column == drop.finalSnapshot.sectionIdentifier(containingItem: card.id))
    }
  }

  // MARK: Undo

  @Test func `Undo of a rename whose old identifier is used again is a conflict`() async throws {
    let source = try await cards(1...3)
    try await source.update(named: "Send") { draft in
      try draft.renameItem(2, to: Card(id: 20, text: "sent"))
    }
    try await source.update { draft in
      try draft.appendItems([Card(id: 2, text: "other")], toSection: "a")
    }
    let undone = try #require(try await source.undo(.named))
    #expect(undone.conflicts == [.item(20, .renamedButTaken)])
    #expect(undone.finalSnapshot.itemIdentifiers == [1, 20, 3, 2])
    #expect(await source.model(for: 2)?.text == "other")
    // The text is that before the change, and the name is not.
    #expect(await source.model(for: 20) == Card(id: 20, text: "2"))
  }

  @Test func `Undo of a change says that the row was renamed and deleted since`() async throws {
    let source = try await cards(1...2)
    try await source.update(named: "Edit") { try $0.update(1) { $0.text = "new" } }
    try await source.update { try $0.renameItem(1, to: Card(id: 7, text: "new")) }
    try await source.update { $0.deleteItems([7]) }
    let undone = try #require(try await source.undo(.named))
    #expect(undone.conflicts.map(\.contradiction) == [.changedButDeleted] && undone.change == nil)
  }

  @Test func `A row that has the name of a deleted one keeps its text when that is undone`()
    async throws
  {
    let source = try await cards(1...2)
    let deletion = try await source.update { $0.deleteItems([1]) }
    try await source.update { try $0.renameItem(2, to: Card(id: 1, text: "2")) }
    let undone = try await source.revert(deletion.change)
    #expect(undone.conflicts == [.item(1, .changedTwice)] && undone.change == nil)
    #expect(undone.versions(of: 1, as: Card.self)?.theirs?.text == "2")
    #expect(await source.model(for: 1)?.text == "2")
  }

  @Test func `A row that has the name of a row that a writer inserts is not silently another`()
    async throws
  {
    let source = try await cards(1...2)
    try await source.update { $0.deleteItems([1]) }
    let (base, revision) = (await source.snapshot, await source.revision)
    try await source.update { try $0.renameItem(2, to: Card(id: 1, text: "2")) }
    var mine = base
    try mine.appendItems([1], toSection: "a")
    let merged = try await source.merge(
      mine, models: [Card(id: 1, text: "mine")], basedOn: revision)
    #expect(merged.conflicts.contains(.item(1, .changedTwice)))
    #expect(merged.versions(of: 1, as: Card.self)?.theirs?.text == "2")
    #expect(await source.model(for: 1)?.text == "mine")
  }

  @Test func `A name that others have used meanwhile is a conflict of a merge, too`() async throws {
    let source = try Source(.list(1...3))
    let (base, revision) = (await source.snapshot, await source.revision)
    try await source.update { try $0.appendItems([20]) }
    var stale = base
    try stale.renameItem(2, to: 20)
    try stale.moveItem(20, beforeItem: 1)
    let merged = try await source.merge(stale, basedOn: revision)
    #expect(merged.conflicts == [.item(2, .renamedButTaken)])
    #expect(merged.finalSnapshot.itemIdentifiers == [2, 1, 3, 20])
  }

  @Test(arguments: [false, true])
  func `Undo follows rows that have exchanged their names`(isOutline: Bool) async throws {
    let source = try Source(.list(0..<4))
    if isOutline {
      let outline = try Outline(Array(0...3), levels: [0, 0, 1, 1])
      try await source.update { [outline] in try $0.setOutline(outline, forSection: "list") }
    }
    func rows() async -> [Int] {
      let snapshot = await source.snapshot
      return snapshot.outline(ofSection: "list").map { Array($0.items) } ?? snapshot.itemIdentifiers
    }
    try await source.update(named: "Insert") { try $0.insertItems([9], afterItem: 0) }
    for (old, new) in [(3, 4), (9, 3), (4, 9)] {
      try await source.update { try $0.renameItem(old, to: new) }
    }
    #expect(await rows() == [0, 3, 1, 2, 9])
    try await source.undo(.named)
    #expect(await rows() == [0, 1, 2, 9])
    try await source.redo(.named)
    #expect(await rows() == [0, 3, 1, 2, 9])
  }

  // MARK: Children on demand

  /// A source with two rows whose children are not loaded.
  private func tree(
    _ options: SourceOptions = SourceOptions(),
    childrenProvider: @escaping @Sendable (Int) async throws -> Outline<Int>
  ) async throws -> DataSourceActor<String, Int> {
    let source = DataSourceActor<String, Int>(options: options, childrenProvider: childrenProvider)
    var outline = try Outline([1, 2])
    outline.setChildrenUnloaded(of: [1, 2])
    try await source.update { [outline] snapshot in
      snapshot.appendSections(["list"])
      try snapshot.setOutline(outline, forSection: "list")
    }
    return source
  }

  @Test func `Children are loaded on under the new identifier`() async throws {
    let (answers, answer) = AsyncStream.makeStream(of: Int.self)
    let source = try await tree { item in
      for await child in answers { return try Outline([item * 100 + child]) }
      throw CancellationError()
    }
    let expansion = Task { try await source.expandItem(1) }
    try await wait { await source.snapshot.outline(ofSection: "list")?.isExpanded(1) == true }
    try await source.update { try $0.renameItem(1, to: 10) }
    answer.yield(7)
    try await expansion.value
    #expect(await source.snapshot.outline(ofSection: "list")?.items == [10, 107, 2])
  }

  @Test(
    "Whoever begins to wait for children misses no name of the row", arguments: [true, false])
  func awaitedUnderAnotherName(isRenamedAtOnce: Bool) async throws {
    let (answers, answer) = AsyncStream.makeStream(of: Int.self)
    let target = Lock<DataSourceActor<String, Int>?>(nil)
    // It is told inside the source, when the row is expanded, or when somebody begins to wait.
    let options = SourceOptions(observer: { event in
      let isAwaited =
        switch event {
        case .changed(Revision(2), _, _, _): isRenamedAtOnce
        case .subscribed: !isRenamedAtOnce
        default: false
        }
      guard isAwaited, let source = target.withLock({ $0 }) else { return }
      source.assumeIsolated { source in
        _ = try? source.update { try $0.renameItem(1, to: 10) }
        _ = try? source.update { $0.appendSections(["later"]) }
      }
    })
    let source = try await tree(options) { item in
      for await child in answers { return try Outline([item * 100 + child]) }
      throw CancellationError()
    }
    target.withLock { $0 = source }
    let expansion = Task { try await source.expandItem(1) }
    try await wait { await source.snapshot.containsSection("later") }
    target.withLock { $0 = nil }
    answer.yield(7)
    try await expansion.value
    #expect(await source.snapshot.outline(ofSection: "list")?.items == [10, 107, 2])
  }

  @Test func `Whoever waits for children is told why they are not loaded, under any name`()
    async throws
  {
    let (answers, answer) = AsyncStream.makeStream(of: Void.self)
    let target = Lock<DataSourceActor<String, Int>?>(nil)
    let options = SourceOptions(observer: { event in
      // The row is collapsed, and whoever waits has that revision.
      guard case .changed(Revision(3), _, _, _) = event, let source = target.withLock({ $0 })
      else { return }
      source.assumeIsolated { source in
        _ = try? source.update { try $0.renameItem(1, to: 10) }
      }
    })
    let source = try await tree(options) { _ in
      for await _ in answers { break }
      throw Unreachable()
    }
    target.withLock { $0 = source }
    let expansion = Task { try await source.expandItem(1) }
    try await wait { source.population.waiting == 1 }
    answer.yield()
    let error = await #expect(throws: ChildrenError<Int>.self) { try await expansion.value }
    target.withLock { $0 = nil }
    #expect(error?.item == 10)
    guard case .provider(let reason)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason is Unreachable)
  }

  private struct Unreachable: Error {}

  @Test func `Why children were not loaded is known under the new identifier`() async throws {
    let source = try await tree { _ in throw Unreachable() }
    await #expect(throws: ChildrenError<Int>.self) { try await source.expandItem(1) }
    try await source.update { try $0.renameItem(1, to: 10) }
    #expect(await source.childrenError(of: 1) == nil)
    #expect(await source.childrenError(of: 10)?.reason != nil)
    // A name in both states is that of the same row, whatever was passed on in between.
    try await source.update { list in
      try list.renameItem(2, to: 30)
      try list.renameItem(10, to: 2)
      try list.renameItem(30, to: 3)
    }
    for row in [2, 3] { #expect(await source.childrenError(of: row) == nil, "\(row)") }
  }
}
