import DiffableQueries
import ListSupport

@testable import Diffable

extension WrittenList {
  // MARK: Copies, and what is given up

  /// Somebody has worked on a copy for a while, and brings back what they have made of it.
  func merge(_ edits: [Edit], back: Int, named name: String?) async throws {
    let base = Revision(await list.revision.number - back)
    guard let before = timeline.known(base), var copy = list.snapshot(at: base) else { return }
    var (after, marks, placed) = (before, Marks(), Set<Int>())
    let deeds = edits.compactMap { edit -> Deed? in
      guard
        let deed = after.deed(edit, number: world.counter.next)?
          .sparing(in: after, spared.contains),
        deed.isForCopies
      else { return nil }
      marks.note(deed, in: after, &placed)
      after.perform(deed, soul: world.counter.next)
      return deed
    }
    for deed in deeds { try deed.apply(to: &copy) }
    let models = after.rows.filter { before.card($0.soul) != $0.card }.map(\.card)
    let done = try await list.merge(copy, models: models, basedOn: base, named: name)
    let far = FarEdit(
      name: "a copy", before: before, after: after, marks: marks, placed: placed,
      movesSections: deeds.contains(where: \.movesSection))
    var result = PlainList(done.finalSnapshot)
    try result.takeSouls(from: [truth, after, before] + everything, fresh: world.counter.next)
    try FarEditLaw(edits: [far], live: truth, former: everything).judge(result)
    own.formUnion(marks)
    self.placed.formUnion(far.touched)
    note(done.change, result)
  }

  /// What is asked for by a task that has been cancelled changes nothing.
  func giveUp(_ edits: [Edit]) async throws {
    var after = truth
    let deeds = deeds(edits, &after)
    forgetMarks()
    let former = await list.current
    let (copy, models) = (former.snapshot, after.rows.map(\.card))
    let list = list
    let made = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var made: [String] = []
      func attempt(_ name: String, _ body: @Sendable () async throws -> Bool) async {
        do { if try await body() { made.append(name) } } catch DataSourceError.cancelled {
        } catch { made.append("\(name): \(error)") }
      }
      await attempt("update") {
        try await list.update { draft in for deed in deeds { try deed.apply(to: &draft) } }
        return true
      }
      await attempt("apply") {
        try await list.apply(copy, models: models)
        return true
      }
      await attempt("merge") {
        try await list.merge(copy, models: models, basedOn: former.revision)
        return true
      }
      await attempt("undo") { try await list.undo() != nil }
      await attempt("redo") { try await list.redo() != nil }
      return made
    }.value
    try promise(made.isEmpty, "a task that was cancelled has done \(made)")
    let revision = await list.revision
    try promise(revision == former.revision, "a task that was cancelled has made \(revision)")
  }

  // MARK: Dragging

  /// A user drags a row before another one, in a source that shows this list, while another user writes.
  ///
  /// - Parameters:
  ///   - shown: What the source shows.
  ///   - query: All that is asked on the way there.
  func drag(
    _ from: Int, _ to: Int, in source: some ReorderableListSource<Shelf, Int>,
    showing shown: PlainList, _ query: PlainQuery, meanwhile: [Edit]
  ) async throws {
    guard
      case .moveBefore(let id, let anchor) = shown.deed(
        .move(from: from, before: to), number: world.counter.next)
    else { return }
    if spared.contains(id) { return }
    guard var drag = try await source.beginReorder([id], at: nil) else {
      throw Failure("no drag of \(id)")
    }
    _ = try drag.proposed(to: .before(anchor))
    if let refusal = drag.refusal {
      let isInTree = [id, anchor].contains { row in
        truth.place(of: row).map { truth.sections[$0.section].isTree } ?? true
      }
      try promise(
        !query.operations.allSatisfy(\.keepsPlaces)
          || !(source is ModelSource<Shelf, Card>) && isInTree,
        "refuses to drag \(id) before \(anchor): \(refusal)")
      let done = try await drag.commit(named: "drag")
      return try promise(done == nil, "makes what it refuses: \(done as Any)")
    }
    var preview = shown
    preview.perform(.moveBefore(id, anchor), soul: world.counter.next)
    let proposed = PlainList(drag.proposedSnapshot)
    try promise(
      proposed.text == preview.text,
      "a drag shows\n  \(proposed.text)\ninstead of\n  \(preview.text)")
    mark(.moveBefore(id, anchor), in: truth)
    var dragged = truth
    dragged.perform(.moveBefore(id, anchor), soul: world.counter.next)
    let taken = placed
    if !meanwhile.isEmpty {
      placed = []
      try await write(meanwhile, named: nil, .animated)
    }
    guard let done = try await drag.commit(named: "drag") else {
      return try promise(dragged == truth || !meanwhile.isEmpty, "a drop did nothing")
    }
    // Where the query decides about the place, only the section is the user's.
    if meanwhile.isEmpty, !query.isSorted { return note(done.change, dragged) }
    // What is below it by now goes with it.
    mark(.moveBefore(id, anchor), in: truth)
    placed.formUnion(taken)
    var moved = placed
    var result = PlainList(await list.snapshot)
    try result.takeSouls(from: [truth, dragged], fresh: world.counter.next)
    if result.souls != truth.souls {
      // What others have put below a row that a list has no place for goes elsewhere.
      moved.formUnion(truth.rows.filter { $0.level > 0 }.map(\.soul))
    }
    // All rows are there, with the models of the others; only the dragged one has moved.
    try promise(
      result.order(without: moved) == truth.order(without: moved),
      "a drop moves other rows:\n  \(result.text)\nafter\n  \(truth.text)")
    note(done.change, result)
  }
}
