import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("A search shows what it finds in a tree, and where that is", .deadline) struct SearchTests {
  typealias Derived = DerivedLawTests.Derived

  /// A tree of ten rows below each of some roots, collapsed.
  private func makeTree(_ roots: Int = 3) async throws -> Notes {
    let source = Notes()
    var tree = Outline<Int>()
    for root in 0..<roots {
      try tree.append([root * 100])
      try tree.append((1...10).map { root * 100 + $0 }, to: root * 100)
      try tree.append([root * 100 + 50], to: root * 100 + 5)
    }
    try await source.apply(Snapshot(tree, in: 0), models: tree.items.map { Note(id: $0) })
    return source
  }

  @Test func `A search forgets nothing of how the tree was folded`() async throws {
    let base = try await Notes.of([
      Note(id: 1), Note(id: 2, text: 1), Note(id: 3), Note(id: 4, text: 4),
    ])
    func query(_ text: Int?) -> (QueryScript.Query) -> QueryScript.Query {
      { query in
        query.outlined(id: 0, by: { $0.text > 0 ? $0.text / 2 + 1 : nil })
          .searched(if: text != nil) { $0.id == text }
      }
    }
    let tree = base.derived(query(nil))
    #expect(await tree.snapshot.description == "0[1 2 3 4]")
    try await tree.collapseItems([1])
    #expect(await tree.snapshot.description == "0[1 3 4]")
    try await tree.setQuery(query(2))
    #expect(await tree.snapshot.description == "0[1 2]")
    // The user folds what was found, and looks for something else.
    try await tree.collapseItems([1])
    #expect(await tree.snapshot.description == "0[1]")
    try await tree.setQuery(query(4))
    #expect(await tree.snapshot.description == "0[3 4]")
    try await tree.collapseItems([3])
    // What was folded in one search is not folded in the next.
    try await tree.setQuery(query(2))
    #expect(await tree.snapshot.description == "0[1 2]")
    try await tree.setQuery(query(nil))
    #expect(await tree.snapshot.description == "0[1 3 4]")
  }

  @Test func `A result says where children are not loaded, and they are loaded there`() async throws
  {
    let base = Notes(childrenProvider: { note in
      ModelOutline(
        try Outline([note.id + 1, note.id + 2]),
        models: [Note(id: note.id + 1, text: 1), Note(id: note.id + 2)])
    })
    var tree = try Outline([10, 20])
    tree.setChildrenUnloaded(of: [10, 20])
    try await base.apply(Snapshot(tree, in: 0), models: [Note(id: 10), Note(id: 20)])
    let found = base.derived { $0.searched { $0.text > 0 } }
    #expect(await found.snapshot.description == "0[]")
    try await found.setQuery { $0.searched(keepsUnloaded: true) { $0.text > 0 } }
    var state = await found.snapshot
    #expect(state.description == "0[10 20]")
    #expect(state.disclosure(of: 10) == Disclosure(sign: .collapsed))
    try await found.expandItem(10, named: "Unfold")
    #expect(base.nextUndo(.named)?.name == "Unfold")
    state = await found.snapshot
    #expect(state.description == "0[10 11 20]")
    #expect(state.disclosure(of: 10) == Disclosure(sign: .expanded))
  }

  /// What a search finds in a tree of rows whose children are not loaded.
  private func search(
    amongFolders folders: [Int], of base: Notes
  ) async throws -> DerivedSource<Notes.Batch, Notes.Batch> {
    try await base.update { draft in
      var tree = try Outline(folders)
      tree.setChildrenUnloaded(of: folders)
      draft.appendSections([0])
      try draft.setOutline(
        ModelOutline(tree, models: folders.map { Note(id: $0) }), forSection: 0)
    }
    return base.derived { $0.searched(keepsUnloaded: true) { $0.text > 0 } }
  }

  @Test("A row whose children cannot be loaded there is collapsed", arguments: [true, false])
  func refusedThere(isFollowed: Bool) async throws {
    let isOffline = Lock(true)
    let base = Notes(childrenProvider: { note in
      if isOffline.withLock({ $0 }) { throw Offline() }
      return ModelOutline(try Outline([note.id + 1]), models: [Note(id: note.id + 1, text: 1)])
    })
    let found = try await search(amongFolders: [10, 20], of: base)
    var batches = isFollowed ? found.updates().makeAsyncIterator() : nil
    _ = await batches?.next()
    for _ in 0..<2 {
      await #expect(throws: ChildrenError<Int>.self) { try await found.expandItem(10) }
      #expect(await found.snapshot.disclosure(of: 10) == Disclosure(sign: .collapsed))
    }
    isOffline.withLock { $0 = false }
    try await found.expandItem(10)
    #expect(await found.snapshot.description == "0[10 11 20]")
    withExtendedLifetime(batches) {}
  }

  @Test("It is collapsed under the identifier that it has by then", arguments: [true, false])
  func refusedUnderAnotherName(isFollowed: Bool) async throws {
    let (refusal, refusing) = AsyncStream<Void>.makeStream()
    let base = Notes(childrenProvider: { _ in
      for await _ in refusal {}
      throw Offline()
    })
    let found = try await search(amongFolders: [10], of: base)
    var batches = isFollowed ? found.updates().makeAsyncIterator() : nil
    _ = await batches?.next()
    let expanding = Task { try await found.expandItem(10) }
    try await wait { await base.snapshot.disclosure(of: 10)?.sign == .loading }
    try await base.update { try $0.renameItem(10, to: Note(id: 30)) }
    // It reads the rename before the load is refused.
    #expect(await found.snapshot.disclosure(of: 30)?.sign == .loading)
    refusing.finish()
    await #expect(throws: ChildrenError<Int>.self) {
      try await ended { try await expanding.value }
    }
    #expect(await found.snapshot.disclosure(of: 30) == Disclosure(sign: .collapsed))
    withExtendedLifetime(batches) {}
  }

  @Test("A row loads its children under a name that it no longer has", arguments: [true, false])
  func renamedMeanwhile(isFollowed: Bool) async throws {
    let base = Notes(childrenProvider: { note in
      ModelOutline(try Outline([note.id + 1]), models: [Note(id: note.id + 1, text: 1)])
    })
    let found = try await search(amongFolders: [10, 20], of: base)
    var batches = isFollowed ? found.updates().makeAsyncIterator() : nil
    _ = await batches?.next()
    #expect(await found.snapshot.description == "0[10 20]")
    // Nobody has read this when the row is expanded.
    try await base.update { try $0.renameItem(10, to: Note(id: 30)) }
    try await found.expandItem(10)
    #expect(await found.snapshot.description == "0[30 31 20]")
    #expect(found.population.subscribers == (isFollowed ? 1 : 0))
    withExtendedLifetime(batches) {}
  }

  /// What happens to a row whose children the source loads: here, or in the source.
  private enum Fold: CaseIterable { case expand, expandLater, collapse, expandThere, undo, redo }

  @Test("A row is shown as loading only as long as the source loads its children")
  func loadingThere() async throws {
    for folds in everySequence(of: Fold.allCases, length: scoped(usual: 3, wide: 4)) {
      let base = Notes(childrenProvider: { note in
        ModelOutline(try Outline([note.id + 1]), models: [Note(id: note.id + 1, text: 1)])
      })
      let found = try await search(amongFolders: [10, 20], of: base)
      var isCollapsed = false
      for (step, fold) in folds.enumerated() {
        switch fold {
        case .expand: try? await found.expandItem(10)
        case .expandLater: try await found.expandItems([10])
        case .collapse: try await found.collapseItems([10])
        case .expandThere: try? await base.expandItem(10)
        case .undo: _ = try await base.undo()
        case .redo: _ = try await base.redo()
        }
        if fold == .expand || fold == .expandLater { isCollapsed = false }
        if fold == .collapse { isCollapsed = true }
        try await wait { await base.snapshot.loadingItems.isEmpty }
        let (state, isLoaded) = (await found.snapshot, await base.snapshot.containsItem(11))
        let isShown = state.itemPath(for: 11) != nil
        #expect(state.loadingItems.isEmpty, "\(folds.prefix(step + 1))")
        #expect(!isCollapsed || !isShown, "\(folds.prefix(step + 1))")
        #expect(fold != .expand || isShown == isLoaded, "\(folds.prefix(step + 1))")
      }
    }
  }

  @Test func `A tree of a flat list loads children when a row is expanded`() async throws {
    let calls = CallCounter()
    let (_, tree) = try await lazyTree(calls) { base, note in
      guard note.id == 10 else { throw Offline() }
      try await base.update { draft in
        try draft.appendItems([Note(id: 11), Note(id: 12)], toSection: 0)
        try draft.update(10) { $0.text = 2 }
      }
    }
    var state = await tree.snapshot
    #expect(state.disclosure(of: 10) == Disclosure(sign: .collapsed))
    try await tree.expandItem(10)
    state = await tree.snapshot
    #expect(state.description == "0[10 11 12 20]")
    #expect(state.disclosure(of: 10) == Disclosure(sign: .expanded))
    await #expect(throws: ChildrenError<Int>.self) { try await tree.expandItem(20) }
    #expect(await tree.snapshot.disclosure(of: 20) == Disclosure(sign: .collapsed))
    // It can be tried again; what is loaded is not loaded again.
    try? await tree.expandItem(20)
    try await tree.collapseItem(10)
    try await tree.expandItem(10)
    #expect(calls.value == 3)
  }

  private struct Offline: Error {}

  /// A tree with two rows whose children are not loaded, which is 1 as their text.
  private func lazyTree(
    _ calls: CallCounter, load: @escaping @Sendable (Notes, Note) async throws -> Void
  ) async throws -> (base: Notes, tree: DerivedSource<Notes.Batch, Notes.Batch>) {
    let base = try await Notes.of([Note(id: 10, text: 1), Note(id: 20, text: 1)])
    let tree = base.derived { query in
      query.outlined(by: { $0.id % 10 == 0 ? nil : $0.id / 10 * 10 }, unloaded: { $0.text == 1 }) {
        note in
        calls.count()
        try await load(base, note)
      }
    }
    return (base, tree)
  }

  @Test func `Whatever expands a row loads its children, and again when they are no longer loaded`()
    async throws
  {
    let calls = CallCounter()
    let (base, tree) = try await lazyTree(calls) { base, note in
      try await base.update { draft in
        let child = Note(id: note.id + calls.value)
        try draft.appendItems([child], toSection: 0)
        try draft.update(note.id) { $0.text = 2 }
      }
    }
    var batches = tree.updates().makeAsyncIterator()
    _ = await batches.next()
    try await tree.expandItems([10])
    var last = await batches.next()
    while last?.snapshot.containsItem(11) == false { last = await batches.next() }
    #expect(last?.snapshot.disclosure(of: 10) == Disclosure(sign: .expanded))
    try await base.update { try $0.update(10) { $0.text = 1 } }
    while last?.snapshot.containsItem(12) == false { last = await batches.next() }
    #expect(last?.snapshot.disclosure(of: 10) == Disclosure(sign: .expanded))
    #expect(calls.value == 2)
  }

  @Test func `Children are loaded again although nobody has seen them`() async throws {
    let calls = CallCounter()
    let (base, tree) = try await lazyTree(calls) { base, note in
      try await base.update { draft in
        try draft.appendItems([Note(id: note.id + calls.value)], toSection: 0)
        try draft.update(note.id) { $0.text = 2 }
      }
    }
    for count in 1...3 {
      try await tree.expandItem(10)
      #expect(calls.value == count)
      try await base.update { try $0.update(10) { $0.text = 1 } }
    }
    #expect(base.population.subscribers == 0)
  }

  @Test func `A load that loads nothing is not made again until the row is collapsed`() async throws
  {
    let calls = CallCounter()
    let (base, tree) = try await lazyTree(calls) { _, _ in }
    try await tree.expandItem(10)
    for text in 2..<5 {
      try await base.update { try $0.appendItems([Note(id: 10 + text, text: text)], toSection: 0) }
      #expect(await tree.snapshot.containsItem(10 + text))
    }
    try await tree.expandItem(10)
    #expect(calls.value == 1)
    try await tree.collapseItem(10)
    _ = await tree.snapshot
    try await tree.expandItem(10)
    #expect(calls.value == 2)
    // Also if nobody looks in between.
    try await tree.collapseItem(10)
    try await tree.expandItem(10)
    #expect(calls.value == 3)
  }

  @Test func `All who expand a row wait for one load, also if the row is renamed meanwhile`()
    async throws
  {
    let calls = CallCounter()
    let (answer, answering) = AsyncStream<Void>.makeStream()
    let (base, tree) = try await lazyTree(calls) { base, note in
      for await _ in answer { break }
      try await base.update { draft in
        guard draft.snapshot.containsItem(30) else { throw Offline() }
        try draft.update(30) { $0.text = 2 }
      }
    }
    var batches = tree.updates().makeAsyncIterator()
    _ = await batches.next()
    async let first: Void = tree.expandItem(10)
    while let batch = await batches.next(), batch.snapshot.loadingItems != [10] {}
    async let second: Void = tree.expandItem(10)
    try await base.update { try $0.renameItem(10, to: Note(id: 30, text: 1)) }
    while let batch = await batches.next(), batch.snapshot.loadingItems != [30] {}
    answering.finish()
    _ = try await (first, second)
    #expect(calls.value == 1)
    #expect(await tree.snapshot.disclosure(of: 30)?.sign != .collapsed)
  }

  @Test("One row costs what it is, not what the tree is", arguments: [4, 400])
  func cost(roots: Int) async throws {
    let calls = CallCounter()
    let base = try await makeTree(roots)
    let found = base.derived { query in
      query.searched { note in
        calls.count()
        return note.text > 0 || note.id == 1
      }
    }
    var batches = found.updates().makeAsyncIterator()
    _ = await batches.next()
    #expect(calls.value == roots * 12)
    try await base.setModel(Note(id: 108, text: 1))
    let batch = try #require(await batches.next())
    #expect(batch.difference.itemInserts.count == 2 && batch.difference.itemDeletes.isEmpty)
    #expect(calls.value <= roots * 12 + 8)
  }
}
