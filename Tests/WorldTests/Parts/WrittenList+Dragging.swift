import ListSupport

@testable import Diffable

extension WrittenList {
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
      var reasons = query.operations.reduce(into: Set()) { $0.formUnion($1.refusals) }
      let isInTree = [id, anchor].contains { row in
        truth.place(of: row).map { truth.sections[$0.section].isTree } ?? false
      }
      if isInTree, !(source is ModelSource<Shelf, Card>) { reasons.insert(.tree) }
      try promise(
        reasons.contains(refusal),
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
    if meanwhile.isEmpty, let soul = truth.row(id)?.soul {
      try promise(
        result.shelf(of: soul) == dragged.shelf(of: soul),
        "a drop before \(anchor) leaves \(id) elsewhere:\n  \(result.text)")
    }
    // All rows are there, with the models of the others; only the dragged one has moved.
    try promise(
      result.order(without: moved) == truth.order(without: moved),
      "a drop moves other rows:\n  \(result.text)\nafter\n  \(truth.text)")
    note(done.change, result)
  }
}
