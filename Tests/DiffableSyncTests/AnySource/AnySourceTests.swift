import Diffable
import DiffableQueries
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

/// One program reads, follows, folds, drags, edits and takes back, whatever kind of source it has.
///
/// Each part asks for no more than a protocol, and runs with every kind that has it.
@Suite(.deadline)
struct AnySourceTests {
  @Test(arguments: ListKind.allCases)
  func `A program reads all of any source`(kind: ListKind) async throws {
    let world = try World()
    try await Self.read(kind.make(world))
  }

  private static func read(_ source: some ListSource<String, Int>) async throws {
    let (snapshot, revision) = await source.current
    #expect(snapshot.itemIdentifiers == [1, 2, 3, 10, 12])
    #expect(await source.snapshot == snapshot)
    #expect(await source.revision == revision)
    #expect(await source.elements.count == 5)
    for item in snapshot.itemIdentifiers { #expect(await source.element(for: item) != nil) }
    #expect(await source.element(for: 4) == nil)
    // One that is folded away has something to show as well.
    #expect(type(of: source).element(for: 11, in: snapshot) != nil)
    #expect(source.snapshot(at: revision) == snapshot)
    #expect(source.revision(for: source.token(for: revision)) == revision)
    #expect(await source.difference(from: revision, to: revision)?.isEmpty == true)
    #expect(source.debugDescription.contains("\(revision)"))
  }

  @Test(arguments: ListKind.allCases)
  func `A program follows any source, folds a row, and waits`(kind: ListKind) async throws {
    let world = try World()
    try await Self.fold(kind.make(world))
  }

  private static func fold(_ source: some ListSource<String, Int>) async throws {
    var batches = source.updates().makeAsyncIterator()
    let first = try #require(await batches.next())
    #expect(first.base == nil)
    #expect(first.snapshot.itemIdentifiers == [1, 2, 3, 10, 12])
    try await source.expandItem(10, named: "Unfold")
    let second = try #require(await batches.next())
    #expect(second.base == first.target)
    #expect(second.snapshot.itemIdentifiers == [1, 2, 3, 10, 11, 12])
    #expect(second.changes.contains(.insertItem(11, at: ItemPath(section: 1, item: 1))))
    await source.delivered(second.target)
    #expect(await source.snapshot.itemIdentifiers == [1, 2, 3, 10, 11, 12])
    try await source.collapseItem(10)
    // Others may confirm the change before.
    while let batch = await batches.next(), batch.snapshot.containsItem(10) {
      if batch.snapshot.itemIdentifiers == [1, 2, 3, 10, 12] { return }
    }
    Issue.record("the source has ended")
  }

  @Test(arguments: ReorderableKind.allCases)
  func `A program drags a row of any source that has drags`(kind: ReorderableKind) async throws {
    let world = try World()
    try await Self.drag(kind.make(world))
  }

  private static func drag(_ source: some ReorderableListSource<String, Int>) async throws {
    _ = await source.current
    var drag = try #require(try await source.beginReorder([1], at: nil))
    let preview = try drag.proposed(to: .after(3))
    #expect(preview.snapshot.itemIdentifiers(inSection: "list") == [2, 3, 1])
    let made = try #require(try await drag.commit(named: "Drag"))
    #expect(made.name == "Drag")
    #expect(await source.snapshot.itemIdentifiers(inSection: "list") == [2, 3, 1])
  }

  @Test func `A row of a source that nobody can change is dragged, and has no place`() async throws
  {
    let world = try World()
    let mirror = try await world.mirror()
    for list in [mirror.derived { $0 }, mirror.derived { $0.filter { $0 != 2 } }] {
      var drag = try #require(try await list.beginReorder([1, 10]))
      for place in [ReorderDestination<String, Int>.before(3), .after(12), .end(of: "list")] {
        let preview = try drag.proposed(to: place)
        #expect(drag.refusal == .readOnly && preview.snapshot == drag.originalSnapshot)
      }
      #expect(try await drag.commit() == nil)
    }
  }

  @Test(arguments: WritableKind.allCases)
  func `A program edits any source that can be written`(kind: WritableKind) async throws {
    let world = try World()
    try await Self.edit(kind.make(world))
  }

  private static func edit(_ source: some WritableListSource<String, Int>) async throws {
    let written = try await source.updateOrder(named: "Edit") { try $0.moveItem(1, afterItem: 3) }
    #expect(written.change?.name == "Edit")
    #expect(await source.snapshot.itemIdentifiers(inSection: "list") == [2, 3, 1])
    await source.delivered(written.revision)

    let same = try await source.updateOrder(named: "Nothing") { try $0.moveItem(1, afterItem: 3) }
    #expect(same.change == nil)
    await #expect(throws: DataSourceError.self) {
      try await source.updateOrder { try $0.moveItem(1, afterItem: 99) }
    }

    var (one, two) = (await source.snapshot, await source.snapshot)
    one.deleteItems([2])
    two.deleteItems([2, 3])
    let states = AsyncStream { continuation in
      for state in [one, two] { continuation.yield(state) }
      continuation.finish()
    }
    try await source.follow(states)
    #expect(await source.snapshot.itemIdentifiers(inSection: "list") == [1])
    let emptied = try await source.write(.edit(named: "Empty") { $0.deleteAllItems() })
    #expect(emptied.finalSnapshot.numberOfItems == 0)
  }

  @Test(arguments: WritableKind.allCases)
  func `A program is told that it followed a sequence no longer since it was cancelled`(
    kind: WritableKind
  ) async throws {
    let world = try World()
    try await Self.followUntilCancelled(kind.make(world))
  }

  private static func followUntilCancelled(
    _ source: some WritableListSource<String, Int>
  ) async throws {
    var state = await source.snapshot
    state.deleteItems([2])
    let task = Task { [state] in try await source.follow(EndingWithItsTask(state: state)) }
    await #expect(throws: DataSourceError.cancelled) { try await task.value }
    #expect(await source.snapshot.itemIdentifiers(inSection: "list") == [1, 3])
  }

  /// A sequence of one state, which ends since its task is cancelled while it waits for another.
  private struct EndingWithItsTask: AsyncSequence {
    let state: Snapshot<String, Int>

    struct Iterator: AsyncIteratorProtocol {
      var state: Snapshot<String, Int>?

      mutating func next() async -> Snapshot<String, Int>? {
        if state == nil { withUnsafeCurrentTask { $0?.cancel() } }
        return state.take()
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(state: state) }
  }

  @Test(arguments: UndoableKind.allCases)
  func `A program takes back what it has made, and makes it again`(
    kind: UndoableKind
  ) async throws {
    let world = try World()
    try await Self.takeBack(kind.make(world))
  }

  private static func takeBack(_ source: some UndoableListSource<String, Int>) async throws {
    func list() async -> [Int] { await source.snapshot.itemIdentifiers(inSection: "list") }
    try await source.updateOrder(named: "First") { try $0.moveItem(1, afterItem: 2) }
    let start = await source.revision
    try await source.updateOrder(named: "Second") { try $0.moveItem(3, beforeItem: 2) }
    #expect(await source.nextUndo()?.name == "Second")
    #expect(await source.nextRedo() == nil)

    try await source.undo()
    #expect(await list() == [2, 1, 3])
    #expect(await source.nextUndo()?.name == "First")
    #expect(await source.nextRedo()?.name == "Second")

    try await source.redo()
    #expect(await list() == [3, 2, 1])
    #expect(await source.nextRedo() == nil)

    try await source.updateOrder(named: "Third") { $0.deleteItems([2]) }
    await source.groupUndo(since: start)
    #expect(await source.nextUndo()?.name == "Third")
    try await source.undo(presentation: .immediate)
    #expect(await list() == [2, 1, 3])
    try await source.redo(presentation: .immediate)
    #expect(await list() == [3, 1])
  }

  @Test(
    "A row that was placed again since stays, whatever source it is",
    arguments: [
      UndoableKind.authored, .authoredModels, .replicated, .replicatedModels, .editableMirror,
    ])
  func placedAgain(kind: UndoableKind) async throws {
    let world = try World()
    let source = try await kind.make(world)
    try await source.updateOrder(named: "Mine") { try $0.moveItem(1, afterItem: 3) }
    try await source.updateOrder { try $0.moveItem(1, afterItem: 2) }
    try await source.undo()
    #expect(await source.snapshot.itemIdentifiers(inSection: "list") == [2, 1, 3])
  }

  @Test func `A model for an item that is nowhere is refused wherever it is given`() async throws {
    let world = try World()
    try await world.expectUnknownModelsRefused()
  }

  // MARK: Models of sections

  private static let (titled, plain) = (CodedHeader(number: 1), CodedHeader(number: 2))

  @Sendable private static func fillSections(_ draft: inout ModelDraft<CodedHeader, CodedRow>)
    throws
  {
    draft.appendSections([titled, plain])
    try draft.setSectionModel("one", for: titled)
    try draft.appendItems([CodedRow(id: 1)], toSection: titled)
    try draft.appendItems([CodedRow(id: 2)], toSection: plain)
  }

  private static func readHeaders<Source: ListSource>(
    _ source: Source, _ title: String = "one"
  ) async where Source.SectionID == CodedHeader {
    #expect(await source.sectionModel(for: titled) == title)
    #expect(await source.sectionModel(for: plain) == nil)
    #expect(await source.sectionModel(for: CodedHeader(number: 3)) == nil)
  }

  @Test func `Headers of lists in memory, and of what shows them`() async throws {
    let list = CodedRows()
    try await list.update(Self.fillSections)
    await Self.readHeaders(list)
    await Self.readHeaders(list.authored(by: "Ann"))
    await Self.readHeaders(list.derived { $0.filter { _ in true } })
    let counted = list.derived { query in
      query.sectionModels { $0 == Self.titled ? "\($1) row" : "" }.filter { $0.id < 2 }
    }
    #expect(await counted.sectionModel(for: Self.titled) == "1 row")
    #expect(await counted.sectionModel(for: Self.plain) == "")
  }

  @Test func `Headers of mirrors, also while a change of the user waits`() async throws {
    let list = CodedRows()
    try await list.update(Self.fillSections)
    let mirror = MirrorSource<ModelBatch<CodedHeader, CodedRow>>()
    for await batch in list.updates() {
      try await mirror.apply(batch.delta)
      break
    }
    await Self.readHeaders(mirror)
    // The owner never answers.
    let edits = try await mirror.editable { _ in
      throw CancellationError()
    }
    await Self.readHeaders(edits)
    try await edits.update { try $0.setSectionModel("mine", for: Self.titled) }
    await Self.readHeaders(edits, "mine")
    await Self.readHeaders(mirror)
  }

  @Test func `Headers of lists over a log`() async throws {
    let list = try await ReplicatedSource<ModelBatch<CodedHeader, CodedRow>>(
      MemoryLog().participant(), options: .quick
    ) {
      try Array(JSONEncoder().encode($0))
    } decode: {
      try JSONDecoder().decode(ModelDelta<CodedHeader, CodedRow>.self, from: Data($0))
    }
    try await list.update(Self.fillSections)
    await Self.readHeaders(list)
    await Self.readHeaders(await list.optimistic())
    try await list.setSectionModel("two", for: Self.titled)
    await Self.readHeaders(list, "two")
    try await list.setSectionModel(nil, for: Self.titled)
    #expect(await list.sectionModel(for: Self.titled) == nil)
    await #expect(throws: DataSourceError.self) {
      try await list.setSectionModel("three", for: CodedHeader(number: 3))
    }
  }

  @Test func `A list of identifiers has no headers`() async throws {
    let list = DataSourceActor<CodedHeader, Int>()
    try await list.update { $0.appendSections([Self.titled]) }
    #expect(await list.sectionModel(for: Self.titled) == nil)
  }

  // MARK: Rows that come and go in one edit

  /// Inserts a row and a section with a row, gives models, deletes them, and inserts one that stays.
  private static func passThrough(_ draft: inout ModelDraft<String, Card>) throws {
    try draft.appendItems([Card(id: 8), Card(id: 9)], toSection: "s")
    draft.setModel(Card(id: 8, text: "gone"))
    draft.appendSections(["t"])
    try draft.appendItems([Card(id: 7)], toSection: "t")
    draft.setModel(Card(id: 7, text: "gone"))
    draft.snapshot.deleteSections(["t"])
    draft.deleteItems([8])
  }

  @Test func `Nobody hears of a passing row in a shared list, at once and when it is accepted`()
    async throws
  {
    let log = MemoryLog()
    let mine = try await ReplicatedSource<ModelBatch<String, Card>>(cards: log.participant())
    let other = try await ReplicatedSource<ModelBatch<String, Card>>(cards: log.participant())
    try await mine.apply([Card(id: 1)], section: { _ in "s" })
    let revision = try await mine.update(Self.passThrough).revision
    try await other.reached(revision)
    let optimistic = await mine.optimistic()
    let write = try await optimistic.update { draft in
      draft.deleteItems([9])
      try Self.passThrough(&draft)
    }
    #expect(await optimistic.elements.map(\.id) == [1, 9])
    let accepted = try #require(await write.outcome.acceptance)
    try await other.reached(accepted.target)
    for list in [mine, other] {
      #expect(await list.elements.map(\.id) == [1, 9])
      #expect(await list.snapshot.sectionIdentifiers == ["s"])
    }
  }

  @Test func `Nobody hears of a passing row through the wire`() async throws {
    let link = try await ProposalLink.started(0..<2)
    let list = try await link.editable()
    let write = try await list.update(Self.passThrough)
    #expect(await list.elements.map(\.id) == [0, 1, 9])
    try await link.sending(1)
    try await wait { await link.server.snapshot.numberOfItems == 3 }
    try await link.deliverAll()
    try #require(await write.outcome.acceptance != nil)
    #expect(await link.server.elements.map(\.id) == [0, 1, 9])
    #expect(await link.mirror.snapshot == link.server.snapshot)
  }
}
