import DiffableTesting
import ListSupport

@testable import Diffable
@testable import DiffableSync

/// A list that users write, undo and drag in.
final class BaseList: Part {
  let list: ModelSource<Shelf, Card>
  private(set) var truth = PlainList()
  private(set) var marks = Marks()
  /// What the present write marks, and the rows that it has put somewhere.
  private var own = Marks()
  private var placed: Set<Int> = []
  private let world: World
  /// Whether two versions of a model become one, field by field.
  private let isMerging: Bool
  private let timeline: Timeline
  /// The revisions that have made the proposals of others.
  private(set) var made: [WriteID: Int] = [:]

  var source: any CardSource { list }
  var roots: Set<ObjectIdentifier> { [ObjectIdentifier(self)] }

  init(_ world: World, isMerging: Bool) {
    (self.world, self.isMerging) = (world, isMerging)
    let options = SourceOptions(history: 200)
    list =
      isMerging
      ? ModelSource(options: options, mergeHandler: Card.merged) : ModelSource(options: options)
    timeline = Timeline(of: list, isMerging: isMerging)
  }

  func begin() async throws {
    let shelves = [Shelf(100), Shelf(101)]
    var deeds: [Deed] = shelves.map { .addSection($0, before: nil) }
    var ids: [Int] = []
    for shelf in shelves {
      let cards = (0..<5).map { _ in
        let id = world.counter.next()
        return Card(id: id, rank: id * 7 % 5, text: id % 3)
      }
      deeds.append(.append(cards, to: shelf))
      ids = cards.map(\.id)
    }
    if isMerging {
      // Rows that the other list has as well.
      deeds.append(.append((2...4).map { Card(id: $0, rank: $0 % 5, text: 1) }, to: shelves[0]))
    }
    deeds.append(.tree(shelves[1], ids, [0, 1, 1, 0, 1]))
    var after = truth
    for deed in deeds { after.perform(deed, soul: world.counter.next) }
    let result = try await list.update { [deeds] draft in
      for deed in deeds { try deed.apply(to: &draft) }
    }
    note(result.change, after)
  }

  func forgetMarks() { (marks, own, placed) = (Marks(), Marks(), []) }
  func hint(_ souls: Set<Int>) { marks.hinted.formUnion(souls) }
  func follow() {}

  func ask() async throws { try timeline.ask() }

  // MARK: Writing

  /// What edits mean one after the other, and what they make of the list.
  private func deeds(
    _ edits: [Edit], _ state: inout PlainList, where isUsable: (Deed) -> Bool = { _ in true }
  ) -> [Deed] {
    edits.compactMap { edit in
      guard let deed = state.deed(edit, number: world.counter.next), isUsable(deed) else {
        return nil
      }
      mark(deed, in: state)
      state.perform(deed, soul: world.counter.next)
      return deed
    }
  }

  private func mark(_ deed: Deed, in state: PlainList) { own.note(deed, in: state, &placed) }

  /// All that it has shown.
  var everything: [PlainList] { timeline.everything }

  /// What it has shown at a revision.
  func truth(_ revision: Int) -> PlainList { timeline.truth(revision) }

  /// What was marked at a revision.
  func marks(_ revision: Int) -> Marks { timeline.marks(revision) }

  /// What the app does with models.
  var handlers: ModelHandlers<Shelf> {
    isMerging ? ModelHandlers(drop: nil, merge: Card.merged) : ModelHandlers()
  }

  func write(_ edits: [Edit], named name: String?, _ presentation: Presentation) async throws {
    var after = truth
    let deeds = deeds(edits, &after)
    let result = try await list.update(named: name, presentation: presentation) { draft in
      for deed in deeds { try deed.apply(to: &draft) }
    }
    note(result.change, after, presentation)
  }

  /// Notes a change that was made, and that a write which changed nothing made none.
  private func note(
    _ change: UndoableChange?, _ after: PlainList, _ presentation: Presentation = .animated,
    kind: RevisionKind = .change(name: nil)
  ) {
    own.isInPlace = own.isInPlace || presentation == .inPlace
    let (before, own, placed) = (truth, own, placed)
    (truth, self.own, self.placed) = (after, Marks(), [])
    guard let change else { return }
    if presentation == .reset { marks.isReset = true }
    let made = Change(
      before: before, after: after, isNamed: change.name != nil, own: own, placed: placed)
    timeline.note(made, at: change.revision, kind)
    marks.formUnion(made.marks)
  }

  func apply(leavingOut: Int, reversed: Bool, inserting: Int) async throws {
    let after = truth.rearranged(
      leavingOut: leavingOut, reversed: reversed, inserting: inserting,
      number: world.counter.next)
    placed.formUnion(after.souls)
    note(
      try await list.apply(CardState(whole: after), models: after.rows.map(\.card)).change, after)
  }

  func enqueue(_ edits: [[Edit]], _ first: Presentation) async throws {
    var lists: [(state: CardState, models: [Card], truth: PlainList)] = []
    for edits in edits {
      var (after, earlier) = (truth, own)
      // Sections that are given keep their headers, and new ones have none.
      let deeds = deeds(edits, &after, where: \.isForOrders)
      // A list does not mark what it does not have.
      earlier.formUnion(own.without(Set(truth.rows.map(\.soul)).subtracting(after.souls)))
      own = earlier
      var snapshot = await list.snapshot
      for deed in deeds { try deed.apply(to: &snapshot) }
      lists.append((snapshot, after.rows.map(\.card), after))
    }
    guard let last = lists.last else { return }
    let tickets = await list.enqueueTogether(lists.map { ($0.state, $0.models) }, first)
    for ticket in tickets.dropLast() {
      let outcome = await ticket.outcome
      try promise(outcome == .superseded, "\(outcome) instead of superseded")
    }
    switch await tickets[tickets.count - 1].outcome {
    case .applied(let revision): note(list.change(of: revision), last.truth, first)
    case .unchanged: note(nil, last.truth)
    case let outcome: throw Failure("the last list is \(outcome)")
    }
  }

  // MARK: Taking back

  func reverse(_ direction: UndoDirection, _ scope: UndoScope) async throws {
    take(
      try await timeline.reverse(direction, scope, live: truth, fresh: world.counter.next))
  }

  func revert(back: Int) async throws {
    take(try await timeline.revert(back: back, live: truth, fresh: world.counter.next))
  }

  private func take(_ taken: Timeline.TakenBack?) {
    guard let taken else { return }
    own.formUnion(taken.marks)
    placed.formUnion(taken.placed)
    note(taken.change, taken.result, kind: taken.kind)
  }

  func group(back: Int, by author: String? = nil) async {
    timeline.group(since: Revision(max(0, await list.revision.number - back)), by: author)
  }

  /// One of several users writes, who take back what they have made themselves.
  func perform(_ event: AuthorEvent, by author: String) async throws {
    switch event {
    case .edit(let edits):
      var after = truth
      let deeds = deeds(edits, &after)
      let result = try await list.authored(by: author).update(named: "edit") { draft in
        for deed in deeds { try deed.apply(to: &draft) }
      }
      note(result.change, after, kind: .change(name: "edit", by: author))
    case .undo: try await reverse(.undo, .author(author))
    case .redo: try await reverse(.redo, .author(author))
    case .group(let back): await group(back: back, by: author)
    }
  }

  // MARK: Proposals

  /// Answers somebody far away.
  func accept(
    _ proposal: Proposal<CardBatch>, _ edit: FarEdit, _ isRefused: Bool
  ) async throws -> ProposalAnswer<CardBatch> {
    let before = await list.revision
    let answer = try await list.accept(proposal) { _, _ in
      if isRefused { throw Refusal(code: "no", reason: "No.") }
    }
    let after = await list.revision
    guard after != before else { return answer }
    try promise(made[proposal.id] == nil, "the proposal \(proposal.id) is made twice")
    made[proposal.id] = after.number
    var result = PlainList(await list.snapshot)
    let known = [truth, edit.after, edit.before] + everything
    try result.takeSouls(
      from: known, isStrange: !edit.strange.isEmpty, fresh: world.counter.next)
    try FarEditLaw(edits: [edit], live: truth, former: everything).judge(result)
    // Somebody who was not told of a name marks nothing by it.
    own.formUnion(edit.marks.demanding(edit.marks.all.subtracting(edit.strange)))
    // A proposal does not say whether a row that it draws otherwise was marked besides.
    let (former, views) = (truth.views, result.views)
    let drawn = own.reconfigured.filter { former[$0] != views[$0] }
    own.reconfigured.subtract(drawn)
    own.hinted.formUnion(drawn)
    placed.formUnion(edit.touched)
    // One that changes nothing, or only marks, makes a revision for those who wait for it.
    let isChange = result.text != truth.text || list.nextUndo(.everything)?.revision == after
    timeline.note(result, at: after)
    note(isChange ? list.change(of: after) : nil, result)
    return answer
  }

  // MARK: Copies, and what is given up

  /// Somebody has worked on a copy for a while, and brings back what they have made of it.
  func merge(_ edits: [Edit], back: Int, named name: String?) async throws {
    let base = Revision(await list.revision.number - back)
    guard let before = timeline.known(base), var copy = list.snapshot(at: base) else { return }
    var (after, marks, placed) = (before, Marks(), Set<Int>())
    let deeds = edits.compactMap { edit -> Deed? in
      guard let deed = after.deed(edit, number: world.counter.next), deed.isForCopies else {
        return nil
      }
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

  func drag(_ from: Int, _ to: Int, _ meanwhile: [Edit]) async throws {
    guard
      case .moveBefore(let id, let anchor) = truth.deed(
        .move(from: from, before: to), number: world.counter.next)
    else { return }
    guard var drag = try await list.beginReorder([id]) else { throw Failure("no drag of \(id)") }
    _ = try drag.proposed(to: .before(anchor))
    var dragged = truth
    mark(.moveBefore(id, anchor), in: truth)
    dragged.perform(.moveBefore(id, anchor), soul: world.counter.next)
    let proposed = PlainList(drag.proposedSnapshot)
    try promise(
      proposed.text == dragged.text,
      "a drag shows\n  \(proposed.text)\ninstead of\n  \(dragged.text)")
    let taken = placed
    if !meanwhile.isEmpty {
      placed = []
      try await write(meanwhile, named: nil, .animated)
    }
    let done = try await drag.commit(named: "drag")
    guard let done else {
      return try promise(dragged == truth || !meanwhile.isEmpty, "a drop did nothing")
    }
    if meanwhile.isEmpty { return note(done.change, dragged) }
    // What is below it by now goes with it.
    mark(.moveBefore(id, anchor), in: truth)
    placed.formUnion(taken)
    var moved = placed
    var result = PlainList(done.finalSnapshot)
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

extension ModelSource where SectionID == Shelf, Model == Card {
  /// Queues lists one after the other, before any of them is written.
  func enqueueTogether(_ lists: [(CardState, [Card])], _ first: Presentation) -> [Ticket] {
    lists.enumerated().map { number, list in
      enqueue(list.0, models: list.1, presentation: number == 0 ? first : .animated)
    }
  }
}

extension Card {
  /// One of two versions, field by field.
  static let merged: @Sendable (Card, Card, Card) -> Card = { base, theirs, mine in
    Card(
      id: mine.id, rank: mine.rank == base.rank ? theirs.rank : mine.rank,
      text: mine.text == base.text ? theirs.text : mine.text)
  }
}
