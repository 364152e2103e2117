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
  /// What each revision made of the one before.
  private var changes: [Int: Change] = [:]
  private var stacks = UndoStacks()
  /// What each revision has shown.
  private var truths: [Int: PlainList] = [:]
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

  func ask() async throws {
    for scope in UndoScope.ofAll {
      try promise(
        list.nextUndo(scope)?.revision.number == stacks.top(.undo, scope)?.first?.number,
        "undo \(scope) would take back \(list.nextUndo(scope) as Any), not \(stacks.top(.undo, scope) ?? [])"
      )
      try promise(
        list.nextRedo(scope)?.revision.number == stacks.top(.redo, scope)?.first?.number,
        "redo \(scope) would take back \(list.nextRedo(scope) as Any), not \(stacks.top(.redo, scope) ?? [])"
      )
    }
  }

  // MARK: Writing

  /// What edits mean one after the other, and what they make of the list.
  private func deeds(_ edits: [Edit], _ state: inout PlainList) -> [Deed] {
    edits.compactMap { edit in
      guard let deed = state.deed(edit, number: world.counter.next) else { return nil }
      mark(deed, in: state)
      state.perform(deed, soul: world.counter.next)
      return deed
    }
  }

  private func mark(_ deed: Deed, in state: PlainList) { own.note(deed, in: state, &placed) }

  /// All that it has shown.
  var everything: [PlainList] { Array(truths.values) }

  /// What it has shown at a revision.
  func truth(_ revision: Int) -> PlainList { truths[revision] ?? PlainList() }

  /// What was marked at a revision.
  func marks(_ revision: Int) -> Marks { changes[revision]?.marks ?? Marks() }

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
    truths[change.revision.number] = after
    if presentation == .reset { marks.isReset = true }
    let made = Change(
      before: before, after: after, isNamed: change.name != nil, own: own, placed: placed)
    changes[change.revision.number] = made
    marks.formUnion(made.marks)
    stacks.publish(change.revision, kind, isNamed: isNamed)
  }

  private func isNamed(_ revision: Revision) -> Bool { changes[revision.number]?.isNamed ?? false }

  func apply(leavingOut: Int, reversed: Bool, inserting: Int) async throws {
    var after = truth
    // A list that is given for a tree is for what the tree shows.
    for index in after.sections.indices where !after.sections[index].isTree {
      var rows = after.sections[index].rows.enumerated().filter {
        ($0.offset + 1) % leavingOut != 0
      }
      .map(\.element)
      if reversed { rows.reverse() }
      placed.formUnion(rows.map(\.soul))
      if index == 0 {
        rows += (0..<inserting).map { _ in
          Row(soul: world.counter.next(), card: Card(id: world.counter.next(), rank: 1))
        }
      }
      after.sections[index].rows = rows
    }
    var state = CardState()
    state.appendSections(after.sections.map(\.shelf))
    for section in after.sections {
      try state.appendItems(section.shown.map { section.rows[$0].id }, toSection: section.shelf)
    }
    let result = try await list.apply(state, models: after.rows.map(\.card))
    note(result.change, after)
  }

  func enqueue(_ edits: [[Edit]], _ first: Presentation) async throws {
    var lists: [(state: CardState, models: [Card], truth: PlainList)] = []
    for edits in edits {
      var (after, earlier) = (truth, own)
      let deeds = deeds(edits, &after)
      // Sections that are given keep their headers, and new ones have none.
      let usable = deeds.filter(\.isForOrders)
      after = truth
      for deed in usable { after.perform(deed, soul: world.counter.next) }
      // A list does not mark what it does not have.
      earlier.formUnion(own.without(Set(truth.rows.map(\.soul)).subtracting(after.souls)))
      own = earlier
      var snapshot = await list.snapshot
      for deed in usable { try deed.apply(to: &snapshot) }
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
    guard let step = stacks.top(direction, scope) else {
      let done =
        direction == .undo ? try await list.undo(scope) : try await list.redo(scope)
      return try promise(done == nil, "there is something to take back, \(done as Any)")
    }
    let done = direction == .undo ? try await list.undo(scope) : try await list.redo(scope)
    guard let done else { throw Failure("nothing to take back instead of \(step)") }
    try promise(
      done.reversedChange?.revision == step[0],
      "takes back \(done.reversedChange as Any) instead of \(step)")
    try await takenBack(step, done, direction == .undo ? .undo(of: step) : .redo(of: step[0]))
    if done.change == nil { stacks.passOver(step, direction, isNamed: isNamed) }
  }

  func revert(back: Int) async throws {
    let revision = Revision(await list.revision.number - back)
    guard let change = list.change(of: revision), changes[revision.number] != nil else { return }
    let done = try await list.revert(change)
    try await takenBack([revision], done, .undo(of: [revision]))
    if done.change == nil { stacks.passOver([revision], .undo, isNamed: isNamed) }
  }

  /// Judges what was taken back, and takes the result over where several are right.
  private func takenBack(
    _ step: UndoStacks.Step, _ done: Transaction<Shelf, Int>, _ kind: RevisionKind
  ) async throws {
    let steps = step.compactMap { changes[$0.number] }
    var result = PlainList(done.finalSnapshot)
    let known = [truth] + steps.flatMap { [$0.before, $0.after] }
    try result.takeSouls(from: known, fresh: world.counter.next)
    let law = TakingBack(
      steps: steps, live: truth, isMerging: isMerging)
    try law.judge(result)
    // Rows that the change has marked are marked again.
    for step in steps {
      own.formUnion(step.own)
      own.isInPlace = false
      placed.formUnion(step.placed)
    }
    note(done.change, result, kind: kind)
  }

  func group(back: Int) async {
    let base = Revision(max(0, await list.revision.number - back))
    list.groupUndo(since: base)
    stacks.group(since: base, by: nil)
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
    try result.takeSouls(from: known, fresh: world.counter.next)
    try FarEditLaw(edits: [edit], live: truth, former: everything).judge(result)
    own.formUnion(edit.marks)
    // A proposal does not say whether a row that it draws otherwise was marked besides.
    let (former, views) = (truth.views, result.views)
    let drawn = own.reconfigured.filter { former[$0] != views[$0] }
    own.reconfigured.subtract(drawn)
    own.hinted.formUnion(drawn)
    placed.formUnion(edit.touched)
    // One that changes nothing, or only marks, makes a revision for those who wait for it.
    let isChange = result.text != truth.text || list.nextUndo(.everything)?.revision == after
    truths[after.number] = result
    note(isChange ? list.change(of: after) : nil, result)
    return answer
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
    let moved = placed
    var result = PlainList(done.finalSnapshot)
    try result.takeSouls(from: [truth, dragged], fresh: world.counter.next)
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
