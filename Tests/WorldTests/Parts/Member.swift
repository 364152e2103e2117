import DiffableTesting
import Foundation
import ListSupport

@testable import Diffable
@testable import DiffableSync

/// A server with a list that it shares with others over a log, and the users who edit it there.
///
/// Nothing in it is concurrent: offers, answers and entries arrive when the program says so.
final class Member: Part {
  private typealias Overlaid = Overlay<CardBatch, String>
  private typealias Edit = @Sendable (inout CardDraft) throws -> Void

  /// A write that waits for its turn.
  private enum Work {
    case edit(FarEdit, id: WriteID?, base: Revision, CursorToken?, Edit)
    case reverse(UndoDirection)
  }

  /// A write that was offered to the log.
  private struct Offered {
    let step: Club.Step
    let base: Int
    let work: Work
    /// What the log has answered, if it was asked.
    var answer: Bool?
  }

  private let club: Club
  private let world: World
  private let number: Int
  private let list: ReplicatedList<CardBatch>
  /// Shows what the log has not accepted yet, if the users are to see it.
  private let overlay: Overlaid?
  private let shown: ShownSource
  private var waiting: [Work] = []
  private var offered: Offered?
  private var stacks = UndoStacks()
  private var revision = 0
  private var now = Marks()
  private var seen = PlainList()
  /// The rows that show a change which the log has not accepted.
  private var unconfirmed: Set<Int> = []
  private(set) var truth = PlainList()
  private(set) var marks = Marks()

  var source: any CardSource { shown }
  var roots: Set<ObjectIdentifier> { [ObjectIdentifier(club)] }

  init(_ club: Club, isOptimistic: Bool, _ world: World) throws {
    (self.club, self.world, number) = (club, world, club.members)
    club.members += 1
    let handlers = ModelHandlers<Shelf>(drop: nil, merge: Card.merged)
    func core() -> SourceCore<Shelf, Int> {
      SourceCore(
        SourceOptions(history: 200, epoch: Epoch(high: 1, low: 2)),
        kernels: CardState.makeKernels(models: ElementKernel(models: Card.self)), children: nil,
        handlers: handlers)
    }
    list = ReplicatedList(
      core(), limits: DeltaLimits(),
      coder: DeltaCoder {
        Array(try JSONEncoder().encode($0))
      } decode: {
        try JSONDecoder().decode(CardBatch.Delta.self, from: Data($0))
      }, author: "\(number)")
    overlay = isOptimistic ? Overlaid(core(), on: list.core, released: "released") : nil
    overlay?.rebase(.reset)
    shown = ShownSource(RevisionReader(hub: (overlay?.core ?? list.core).hub))
    if club.end == 0 { try found() } else { try receive(.max) }
    try settle()
  }

  func hint(_ souls: Set<Int>) { marks.hinted.formUnion(souls) }

  func follow() {
    (truth, marks) = (seen, now)
    now = Marks()
  }

  /// The first of all entries.
  private func found() throws {
    var deeds: [Deed] = [
      .addSection(Shelf(200), before: nil), .addSection(Shelf(201), before: nil),
    ]
    var ids: [Int] = []
    for shelf in 200...201 {
      let cards = (0..<5).map { text in
        let id = world.counter.next()
        return Card(id: id, rank: id % 5, text: text % 3)
      }
      deeds.append(.append(cards, to: Shelf(shelf)))
      ids = cards.map(\.id)
    }
    deeds.append(.tree(Shelf(201), ids, [0, 1, 1, 0, 1]))
    var after = PlainList()
    for deed in deeds { after.perform(deed, soul: world.counter.next) }
    try add(deeds, after, Marks(), [])
    try settle()
    for event in [MemberEvent.offer, .answer] { try perform(event) }
  }

  func perform(_ event: MemberEvent) throws {
    switch event {
    case .edit(let edits):
      var (after, marks, placed) = (seen, Marks(), Set<Int>())
      var written: [Int: [Card]] = [:]
      let deeds = edits.forRunningAgain.compactMap { edit -> Deed? in
        guard let deed = after.deed(edit, number: world.counter.next) else { return nil }
        marks.note(deed, in: after, &placed)
        after.perform(deed, soul: world.counter.next)
        after.note(deed, &written)
        return deed
      }
      try add(deeds, after, marks, placed, written)
    case .undo: waiting.append(.reverse(.undo))
    case .redo: waiting.append(.reverse(.redo))
    case .cancel:
      // Nobody sees that a change is to be taken back before its turn has come.
      if case .reverse = waiting.last { waiting.removeLast() }
    case .offer:
      guard let offered, offered.answer == nil else { return }
      self.offered?.answer = club.append(offered.step, after: offered.base)
    case .answer:
      guard let offered, offered.answer == true else { return }
      list.accept(offered.step.entry.id)
    case .receive(let count): try receive(count)
    }
    try settle()
  }

  /// How many entries arrive at once, so that followers see no more than one revision of it.
  func arrivals(of count: Int) -> [Int] {
    let new = min(count, club.end - revision)
    return overlay == nil ? Array(repeating: 1, count: new) : [count]
  }

  /// The next entries arrive.
  private func receive(_ count: Int) throws {
    for step in club.steps[list.revision.number...].prefix(count) {
      try list.receive([step.entry], after: list.revision)
    }
  }

  // MARK: Writing

  private func add(
    _ deeds: [Deed], _ after: PlainList, _ marks: Marks, _ placed: Set<Int>,
    _ written: [Int: [Card]] = [:]
  ) throws {
    let far = FarEdit(
      name: "\(number) edits \(world.counter.next())", before: seen, after: after, marks: marks,
      placed: placed, written: written, given: Set(deeds.compactMap(\.givenShelf)),
      movesSections: deeds.contains(where: \.movesSection))
    let edit: Edit = { draft in for deed in deeds { try deed.apply(to: &draft) } }
    guard let overlay else {
      // A subscriber at the base: the history keeps what others rename while this waits.
      let (cursor, base) = CursorToken.atNewest(of: list.core.hub)
      waiting.append(.edit(far, id: nil, base: base, cursor, edit))
      return
    }
    let added = try overlay.add(
      { snapshot, given, names in
        try CardBatch._edit(&snapshot, &given, renamed: names.renames.inOrder, edit)
        return Contradictions()
      }, named: far.name, .animated)
    let state = PlainList(shown.state)
    try promise(
      state.text == after.text, "an edit shows\n  \(state.text)\ninstead of\n  \(after.text)")
    waiting.append(.edit(far, id: added.edit.id, base: Revision(revision), nil, edit))
    seen = after
    now.formUnion(marks.settled(in: after))
  }

  /// Lets the next write be made and offered; what makes nothing has come to its end.
  private func propose(_ work: Work) throws {
    switch work {
    case .edit(let far, let id, let base, _, let edit):
      let entry: LogEntry?
      do {
        entry = try list.propose(list.makeWriteID(), ifRevision: nil, .animated) { core in
          if let id {
            let pending = overlay?.pending.first { $0.id == id }
            return (try pending?.make(on: &core.live).commit, .change(name: far.name), ())
          }
          let made = try core.edit(CardBatch.self, since: base, edit)
          return (made.commit, .change(name: far.name), ())
        }.entry
      } catch {
        try promise(far.before != club.truth(revision), "\(far.name) fails: \(error)")
        return hide(work)
      }
      guard let entry else { return hide(work) }
      let after = try latest([far.before, far.after])
      try FarEditLaw(edits: [far], live: club.truth(revision)).judge(after)
      offer(entry, after, .change(name: far.name), far.marks, far.touched, work)
    case .reverse(let direction):
      let step = stacks.top(direction, .named)
      let found = list.core.hub.reversible(direction, .named)
      try promise(
        found?.revisions == step, "takes back \(found?.revisions as Any), not \(step as Any)")
      guard let found, let step else { return }
      let entry = try list.propose(list.makeWriteID(), ifRevision: nil, .animated) { core in
        (try core.revert(found, direction).commit, found.kind(direction), ())
      }.entry
      guard let entry else { return stacks.passOver(step, direction, isNamed: isNamed) }
      let changes = step.map(club.change)
      let after = try latest(changes.flatMap { [$0.before, $0.after] })
      try TakingBack(steps: changes, live: club.truth(revision), isMerging: true).judge(after)
      let marks = changes.reduce(into: Marks()) { $0.formUnion($1.own) }
      let placed = changes.reduce(into: Set<Int>()) { $0.formUnion($1.placed) }
      offer(entry, after, found.kind(direction), marks, placed, work)
    }
  }

  private func latest(_ known: [PlainList]) throws -> PlainList {
    var state = PlainList(list.core.latest)
    try state.takeSouls(from: [club.truth(revision)] + known, fresh: world.counter.next)
    return state
  }

  private func offer(
    _ entry: LogEntry, _ after: PlainList, _ kind: RevisionKind, _ marks: Marks,
    _ placed: Set<Int>, _ work: Work
  ) {
    let change = Change(
      before: club.truth(revision), after: after, isNamed: true, own: marks, placed: placed)
    offered = Offered(
      step: Club.Step(entry: entry, change: change, kind: kind, author: number), base: revision,
      work: work)
  }

  /// Shows an edit no longer that has come to its end.
  private func hide(_ work: Work, showing own: [Revision] = []) {
    guard case .edit(let far, let id?, _, _, _) = work else { return }
    now.allow(far)
    overlay?.remove(id)
    overlay?.rebase(showing: own)
  }

  private func isNamed(_ revision: Revision) -> Bool {
    club.steps[revision.number - 1].author == number
  }

  // MARK: What must be

  private func settle() throws {
    var isLost = false
    if let offered {
      switch list.decision(on: offered.step.entry.id) {
      case .next:
        try promise(offered.answer == true, "has \(offered.step.entry.id), which the log has not")
        hide(offered.work, showing: [Revision(offered.base + 1)])
        self.offered = nil
      case .lost:
        try promise(offered.answer != true, "has lost \(offered.step.entry.id)")
        waiting.insert(offered.work, at: 0)
        (self.offered, isLost) = (nil, true)
      case .open, .dropped: break
      }
    }
    try follow(isRebased: !isLost)
    while offered == nil, !waiting.isEmpty { try propose(waiting.removeFirst()) }
    seen = try current()
    let former = unconfirmed
    unconfirmed = pending.isEmpty ? [] : seen.souls(changedSince: club.truth(revision))
    now.hinted.formUnion(unconfirmed.union(former))
    try FarEditLaw(edits: pending, live: club.truth(revision)).judge(seen)
  }

  /// Notes the revisions that it has received.
  private func follow(isRebased: Bool) throws {
    let reached = list.revision.number
    for edit in pending { now.allow(edit) }
    for step in club.steps[revision..<reached] {
      revision += 1
      let isOwn = step.author == number
      stacks.publish(
        Revision(revision), isOwn ? step.kind : .change(name: nil), isNamed: isNamed)
      let isShown = if case .change = step.kind { isOwn && overlay != nil } else { false }
      // What users have seen already, they need not see again.
      if !isShown { now.formUnion(step.change.marks) }
    }
    overlay?.rebase()
    let confirmed = PlainList(list.core.snapshot).text
    try promise(
      confirmed == club.truth(revision).text,
      "has\n  \(confirmed)\ninstead of\n  \(club.truth(revision).text)")
  }

  /// The edits that are shown on top of what the log has accepted.
  private var pending: [FarEdit] {
    guard overlay != nil else { return [] }
    return ((offered.map { [$0.work] } ?? []) + waiting).compactMap {
      if case .edit(let far, _, _, _, _) = $0 { far } else { nil }
    }
  }

  private func current() throws -> PlainList {
    var state = PlainList(shown.state)
    try state.takeSouls(
      from: [seen, club.truth(revision)] + pending.flatMap { [$0.before, $0.after] },
      fresh: world.counter.next)
    return state
  }

  func ask() async throws {
    for direction in UndoDirection.allCases {
      let next = list.core.hub.nextChange(direction, .named)?.revision
      try promise(
        next == stacks.top(direction, .named)?.first,
        "\(direction) would take back \(next as Any), not \(stacks.top(direction, .named) ?? [])")
    }
  }

  /// Whether there is nothing that it waits for.
  var isDone: Bool { offered == nil && waiting.isEmpty && revision == club.end }
}
