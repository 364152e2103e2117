import ListSupport

@testable import Diffable

/// A list that users write, undo and drag in.
@MainActor
protocol WrittenList: Part {
  var list: ModelSource<Shelf, Card> { get }
  var truth: PlainList { get set }
  var marks: Marks { get set }
  /// What the present write marks, and the rows that it has put somewhere.
  var own: Marks { get set }
  var placed: Set<Int> { get set }
  var timeline: Timeline { get }
  var world: World { get }
  /// Rows that no user touches.
  var spared: Range<Int> { get }
  /// Another truth comes of a write.
  func willNote(_ after: PlainList)
  /// A change was taken back.
  ///
  /// - Returns: The rows that may be anywhere since then.
  func willTake(_ taken: Timeline.TakenBack) -> Set<Int>
  /// Looks at the list after a user's event.
  func settle() async throws
}

extension WrittenList {
  var spared: Range<Int> { 0..<0 }
  func willNote(_ after: PlainList) {}
  func willTake(_ taken: Timeline.TakenBack) -> Set<Int> { taken.placed }
  func settle() async throws {}

  func forgetMarks() { (marks, own, placed) = (Marks(), Marks(), []) }
  func hint(_ souls: Set<Int>) { marks.hinted.formUnion(souls) }
  func follow() {}
  func ask() async throws { try timeline.ask() }

  /// All that it has shown.
  var everything: [PlainList] { timeline.everything }

  // MARK: Writing

  /// What edits mean one after the other, and what they make of the list.
  func deeds(
    _ edits: [Edit], _ state: inout PlainList, where isUsable: (Deed) -> Bool = { _ in true }
  ) -> [Deed] {
    edits.compactMap { edit in
      guard
        let deed = state.deed(edit, number: world.counter.next)?
          .sparing(in: state, spared.contains),
        isUsable(deed)
      else { return nil }
      mark(deed, in: state)
      state.perform(deed, soul: world.counter.next)
      return deed
    }
  }

  func mark(_ deed: Deed, in state: PlainList) { own.note(deed, in: state, &placed) }

  /// Notes a change that was made, and that a write which changed nothing made none.
  func note(
    _ change: UndoableChange?, _ after: PlainList, _ presentation: Presentation = .animated,
    kind: RevisionKind = .change(name: nil)
  ) {
    willNote(after)
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

  func write(_ edits: [Edit], named name: String?, _ presentation: Presentation) async throws {
    var after = truth
    let deeds = deeds(edits, &after)
    let result = try await list.update(named: name, presentation: presentation) { draft in
      for deed in deeds { try deed.apply(to: &draft) }
    }
    note(result.change, after, presentation)
  }

  func apply(leavingOut: Int, reversed: Bool, inserting: Int) async throws {
    let after = truth.rearranged(
      leavingOut: leavingOut, reversed: reversed, inserting: inserting, sparing: spared,
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
    placed.formUnion(willTake(taken))
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
}

extension ModelSource where SectionID == Shelf, Model == Card {
  /// Queues lists one after the other, before any of them is written.
  func enqueueTogether(_ lists: [(CardState, [Card])], _ first: Presentation) -> [Ticket] {
    lists.enumerated().map { number, list in
      enqueue(list.0, models: list.1, presentation: number == 0 ? first : .animated)
    }
  }
}
