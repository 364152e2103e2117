import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable

/// What `nextUndo` and `nextRedo` name is what `undo` and `redo` take back.
@Suite("A menu names exactly what comes next", .deadline)
struct NextUndoTests {
  private typealias State = Snapshot<Int, Int>

  @Test("also where nothing is left of it: Move 2 is announced, and Rename 1 waits")
  func nothingLeft() async throws {
    let source = Notes()
    try await source.apply([Note(id: 1), Note(id: 2), Note(id: 3)], section: \.folder)
    try await source.update(named: "Rename 1") { $0.setModel(Note(id: 1, title: 1)) }
    try await source.update(named: "Move 2") { draft in
      try draft.snapshot.moveItem(2, afterItem: 3)
    }
    try await source.update { $0.snapshot.deleteItems([2]) }
    let revision = await source.revision

    let move = try #require(source.nextUndo(.named))
    #expect(move.name == "Move 2")
    let idle = try #require(try await source.undo(.named))
    #expect(idle.reversedChange == move && idle.name == "Move 2")
    #expect(idle.target == revision && idle.difference.isEmpty)
    #expect(await source.model(for: 1)?.title == 1)

    let rename = try #require(source.nextUndo(.named))
    #expect(rename.name == "Rename 1")
    let undone = try #require(try await source.undo(.named))
    #expect(undone.reversedChange == rename)
    #expect(await source.model(for: 1)?.title == 0 && source.nextUndo(.named) == nil)
    #expect(try await source.undo(.named) == nil)
    let redo = try #require(source.nextRedo(.named))
    #expect(redo.name == "Rename 1")
    #expect(try await source.redo(.named)?.reversedChange == redo)
    #expect(source.nextRedo(.named) == nil, "nothing of Move 2 was undone")
  }

  @Test("whatever several writers do, with names and without", arguments: [false, true])
  func writers(haveOutlines: Bool) async throws {
    var idle = 0
    for seed in 0..<UInt64(rounds(12, least: 2)) {
      idle += try await run(seed) { generator, snapshot in
        if haveOutlines {
          var edited = snapshot
          guard (try? generator.outlineEdit(of: snapshot).apply(to: &edited)) != nil,
            (try? edited.validate()) != nil
          else { return }
          snapshot = edited.detached
        } else {
          snapshot = generator.changing(snapshot, by: .mixed)
        }
        // What is expected goes by identifiers, so nothing is said of those that have changed.
        snapshot.marks = State.Marks()
      }
    }
    #expect(idle > 0, "no change was ever taken back without effect")
  }

  /// Lets writers change a source while others go back and forth in it.
  ///
  /// - Returns: How often there was nothing left to take back.
  private func run(
    _ seed: UInt64, edit: (inout SnapshotGenerator<Int, Int>, inout State) -> Void
  ) async throws -> Int {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    let start = generator.snapshot(.even(sections: 2, itemsEach: 3))
    let source = try DataSourceActor<Int, Int>(
      start, options: SourceOptions(history: 20 + generator.random.number(below: 60)))
    var idle = 0
    for step in 0..<80 {
      let comment: Comment = "seed \(seed), step \(step)"
      let live = await source.snapshot
      let name = generator.random.chance(oneIn: 2) ? "Change \(step)" : nil
      switch generator.random.number(below: 5) {
      case 0, 1:
        var edited = live
        edit(&generator, &edited)
        if let item = edited.itemIdentifiers.first, generator.random.chance(oneIn: 5) {
          try edited.reconfigureItems([item])
        }
        try await source.update(named: name) { [edited] in $0 = edited }
      case 2:
        // Somebody who has worked on a copy, or puts back what was there before.
        let age = generator.random.number(below: 5)
        let base = Revision(max(0, await source.revision.number - age))
        guard var copy = source.snapshot(at: base) else { continue }
        if generator.random.chance(oneIn: 3) {
          try await source.update(named: name) { [copy] in $0 = copy }
        } else {
          edit(&generator, &copy)
          try await source.merge(copy, basedOn: base, named: name)
        }
      default:
        let direction = generator.random.element(of: [UndoDirection.undo, .undo, .redo]) ?? .undo
        let scope = generator.random.element(of: UndoScope.ofAll) ?? .named
        idle += try await reverse(direction, scope, source, live, comment) ? 0 : 1
      }
    }
    // It comes to an end in every direction, with or without effect.
    for (direction, scope) in [
      (UndoDirection.undo, UndoScope.named), (.redo, .named), (.undo, .everything),
      (.redo, .everything),
    ] {
      for _ in 0..<200 {
        let live = await source.snapshot
        guard source.reader.hub.reversible(direction, scope) != nil else { break }
        idle += try await reverse(direction, scope, source, live, "seed \(seed)") ? 0 : 1
      }
      #expect(
        source.reader.hub.reversible(direction, scope) == nil,
        "seed \(seed): \(direction), \(scope)")
    }
    return idle
  }

  /// Takes back what is named, and looks at what was.
  ///
  /// - Returns: Whether anything has changed, or there was nothing to take back.
  private func reverse(
    _ direction: UndoDirection, _ scope: UndoScope, _ source: DataSourceActor<Int, Int>,
    _ live: State, _ comment: Comment
  ) async throws -> Bool {
    let revision = await source.revision
    let named = direction == .undo ? source.nextUndo(scope) : source.nextRedo(scope)
    let done = try await direction == .undo ? source.undo(scope) : source.redo(scope)
    let reached = await source.snapshot
    #expect(done?.reversedChange == named && done?.name == named?.name, comment)
    guard let named else {
      #expect(done == nil && reached == live, comment)
      return true
    }
    #expect(scope == .everything || named.name != nil, comment)
    let after = try #require(source.snapshot(at: named.revision), comment)
    let before = source.snapshot(at: Revision(named.revision.number - 1))
    // It may have left the history by now.
    if let before {
      var expected = live.resolved
      let merged = try expected.merge(
        valid: before.resolved, basedOn: after.resolved, others: .init(), by: .undo)
      #expect(reached == expected && done?.conflicts == merged.conflicts, comment)
    }
    let isNew = await source.revision > revision
    #expect(await source.revision == done?.target, comment)
    #expect(isNew == (done?.difference.isEmpty == false) || reached != live, comment)
    // The same is not named twice in a row.
    let next = direction == .undo ? source.nextUndo(scope) : source.nextRedo(scope)
    #expect(next != named, comment)
    return isNew
  }
}
