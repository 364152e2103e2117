import ListSupport

@testable import Diffable

extension WrittenList {
  /// Somebody has worked on a copy for a while, and brings back what they have made of it.
  func merge(_ edits: [Edit], back: Int, named name: String?) async throws {
    let base = Revision(await list.revision.number - back)
    guard let before = timeline.known(base), var copy = list.snapshot(at: base) else { return }
    var after = before
    let deeds = deeds(edits, &after, where: \.isForCopies)
    for deed in deeds { try deed.apply(to: &copy) }
    let models = after.rows.filter { before.card($0.soul) != $0.card }.map(\.card)
    let done = try await list.merge(copy, models: models, basedOn: base, named: name)
    let far = FarEdit(
      name: "a copy", before: before, after: after, marks: own, placed: placed,
      movesSections: deeds.contains(where: \.movesSection))
    var result = PlainList(done.finalSnapshot)
    try result.takeSouls(from: [truth, after, before] + everything, fresh: world.counter.next)
    try FarEditLaw(edits: [far], live: truth, former: everything).judge(result)
    placed.formUnion(far.touched)
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
}
