import DiffableTesting
import Foundation
import ListSupport

@testable import Diffable
@testable import DiffableSync

/// A user far away who edits a list, and the road on which their changes travel to its owner.
///
/// Nothing in it is concurrent: what is on the road arrives when the program says so.
final class Desk: Part {
  private typealias Answer = ProposalAnswer<CardBatch>

  /// What becomes of a change.
  private final class Fates: Sendable {
    private let all = Lock<[WriteID: [String]]>([:])

    func add(_ id: WriteID, _ fate: String) { all.withLock { $0[id, default: []].append(fate) } }
    var told: [WriteID: [String]] { all.withLock { $0 } }
  }

  private let owner: BaseList
  private let world: World
  private let edited: EditedList<CardBatch>
  private let shown: ShownSource
  private let fates = Fates()
  private var road: (proposal: Proposal<CardBatch>, answer: Answer?)?
  private var last: CardBatch.Delta?
  /// All changes by their names, and those that are shown on top of what the owner has sent.
  private var edits: [WriteID: FarEdit] = [:]
  private var pending: [WriteID] = []
  /// Those that the user knows to be in the owner's list: a delta with everything does not say it.
  private var known: Set<WriteID> = []
  /// The revision of the owner that the user has.
  private var held = 0
  /// The rows that are shown since the base of an answer: it does not say how to show them again.
  private var arrived: Set<Int> = []
  private var now = Marks()
  /// What the user has seen, and what comes of the last event.
  private var seen = PlainList()
  /// The rows that show a change which the owner's list does not have.
  private var unconfirmed: Set<Int> = []
  private(set) var truth = PlainList()
  private(set) var marks = Marks()

  var source: any CardSource { shown }
  var roots: Set<ObjectIdentifier> { owner.roots }

  init(_ owner: BaseList, _ world: World) async throws {
    (self.owner, self.world) = (owner, world)
    let kernels = owner.list.reader.kernels
    func core() -> SourceCore<Shelf, Int> {
      SourceCore(SourceOptions(history: 200), kernels: kernels, children: nil)
    }
    edited = EditedList(
      MirroredList(core(), limits: DeltaLimits()), SourceOptions(history: 200), owner.handlers)
    shown = ShownSource(RevisionReader(hub: edited.overlay.core.hub))
    edited.decided = { [fates] write, outcome in
      fates.add(write.id, "\(outcome)".prefix { $0 != "(" }.description)
    }
    try deliver(fromScratch: true)
    try settle()
  }

  func hint(_ souls: Set<Int>) { marks.hinted.formUnion(souls) }

  func follow() {
    (truth, marks) = (seen, now)
    now = Marks()
  }

  func perform(_ event: DeskEvent) async throws {
    switch event {
    case .edit(let edits): try edit(edits)
    case .undo: try reverse(.undo)
    case .redo: try reverse(.redo)
    case .arrive(let isRefused): try await arrive(isRefused)
    case .answer:
      guard let proposal = road?.proposal, let answer = road?.answer else { return }
      road = nil
      // It has what others have marked since the base, and the user may have seen some of it.
      let base = owner.list.revision(for: proposal.base)?.number ?? 0
      let former = (base..<max(base, held)).map { owner.marks($0 + 1) }
      for marks in former { now.allow(marks) }
      // Nor whether what is to stay in place on the screen is that, or has come since.
      if former.contains(where: \.isInPlace) { now.isReset = true }
      // It does not say whether somebody has marked what has changed.
      let (before, after) = (owner.truth(base).views, owner.truth(max(base, held)).views)
      now.hinted.formUnion(after.filter { before[$0.key] != $0.value }.keys)
      arrived = owner.truth(max(base, held)).shownSouls.subtracting(owner.truth(base).shownSouls)
      edited.receive(
        try JSONDecoder().decode(Answer.self, from: JSONEncoder().encode(answer)), for: proposal.id)
    case .lose:
      guard let proposal = road?.proposal else { return }
      road = nil
      edited.fail(proposal.id)
    case .deliver: try deliver()
    case .cut: try deliver(fromScratch: true)
    case .repeatLast:
      guard let last else { return }
      let revision = shown.current.revision
      try apply(last)
      try promise(shown.current.revision == revision, "shows something for a delta that it has had")
    }
    try settle()
  }

  // MARK: The user

  private func edit(_ edits: [Edit]) throws {
    var (after, marks) = (seen, Marks())
    var (placed, written) = (Set<Int>(), [Int: [Card]]())
    let deeds = edits.forRunningAgain.compactMap { edit -> Deed? in
      guard let deed = after.deed(edit, number: world.counter.next) else { return nil }
      marks.note(deed, in: after, &placed)
      after.perform(deed, soul: world.counter.next)
      after.note(deed, &written)
      return deed
    }
    let name = "far \(world.counter.next())"
    let added = try edited.add(
      { snapshot, given, names in
        try CardBatch._edit(&snapshot, &given, renamed: names.renames.inOrder) { draft in
          for deed in deeds { try deed.apply(to: &draft) }
        }
        return Contradictions()
      }, named: name, .animated)
    let state = PlainList(shown.state)
    try promise(
      state.text == after.text, "an edit shows\n  \(state.text)\ninstead of\n  \(after.text)")
    let edit = FarEdit(
      name: name, before: seen, after: after, marks: marks, placed: placed, written: written,
      given: Set(deeds.compactMap(\.givenShelf)),
      movesSections: deeds.contains(where: \.movesSection),
      // It may be made on a row under a name that only an edit before it gives.
      strange: strange)
    self.edits[added.edit.id] = edit
    pending.append(added.edit.id)
    seen = after
    now.formUnion(marks.settled(in: after))
  }

  private func reverse(_ direction: UndoDirection) throws {
    let next = edited.steps.next(direction)?.name
    let name = try edited.reverse(direction, .animated)?.name
    try promise(name == next, "takes back \(name as Any) instead of \(next as Any)")
    guard let name else { return }
    // A change that was not sent is withdrawn, and of any other the reverse is a change of its own.
    for edit in edited.overlay.pending where edits[edit.id] == nil {
      let reversed = edits.values.filter { $0.name == name && $0.reversed.isEmpty }
      edits[edit.id] = FarEdit(
        name: name, before: seen, after: try current(), marks: reversed.allMarks, placed: [],
        reversed: reversed, strange: reversed.reduce(into: []) { $0.formUnion($1.strange) })
      pending.append(edit.id)
    }
  }

  // MARK: The road

  private func arrive(_ isRefused: Bool) async throws {
    guard let proposal = road?.proposal, road?.answer == nil else { return }
    let text = try JSONEncoder().encode(proposal)
    let read = try Proposal<CardBatch>.read(Array(text)) {
      try JSONDecoder().decode(Proposal.self, from: Data($0))
    }
    guard let edit = edits[read.id] else { throw Failure("\(read.id) is a proposal of nobody") }
    road?.answer = try await owner.accept(read, edit, isRefused)
  }

  /// The stream arrives.
  private func deliver(fromScratch: Bool = false) throws {
    let reader = owner.list.reader
    guard let live = reader.snapshot(at: reader.hub.revision) else { return }
    if !fromScratch, reader.hub.revision == Revision(held) { return }
    let batch = fromScratch ? nil : reader.batch(since: Revision(held), limit: .max)
    let whole = UpdateBatch(
      showingValid: live, epoch: reader.hub.epoch,
      at: HistoryPlace(revision: reader.hub.revision, digest: .none))
    // A delta with everything has no marks, and does not say what is called otherwise.
    if batch == nil {
      now.formUnion(Marks(isReset: true, isUnknown: true))
      let shown = owner.truth(held)
      let strange = (held..<reader.hub.revision.number + 1).reduce(into: Set()) {
        $0.formUnion(shown.souls(calledOtherwiseIn: owner.truth($1)))
      }
      for id in pending { edits[id]?.strange.formUnion(strange) }
    }
    last = CardBatch(batch ?? whole).delta
    if let last { try apply(last) }
  }

  private func apply(_ delta: CardBatch.Delta) throws {
    let text = try JSONEncoder().encode(delta)
    _ = try edited.apply { () throws(DeltaError) in
      try CardBatch.Delta.read(text, limits: DeltaLimits()) {
        try JSONDecoder().decode(CardBatch.Delta.self, from: $0)
      }
    }
  }

  // MARK: What must be

  /// The rows that edits on top may know by another name than the owner, who began anew.
  private var strange: Set<Int> {
    pending.reduce(into: []) { $0.formUnion(edits[$1]?.strange ?? []) }
  }

  /// What the user sees now.
  private func current() throws -> PlainList {
    var state = PlainList(shown.state)
    try state.takeSouls(
      from: [seen, owner.truth(held)] + edits.values.flatMap { [$0.before, $0.after] }
        + owner.everything,
      isStrange: !strange.isEmpty,
      fresh: world.counter.next)
    return state
  }

  /// The revision of the owner that the user's edits are on top of.
  private var confirmed: Int { edited.list.held?.parts?.place.revision.number ?? 0 }

  /// Sends what can be sent, and looks whether all is as it must be.
  private func settle() throws {
    if road == nil, let next = edited.next() {
      road = (next, nil)
      edits[next.id]?.sent.append(owner.truth(confirmed))
    }
    let told = fates.told
    for (id, fates) in told {
      try promise(fates.count == 1, "\(id) is told \(fates)")
      try promise(
        edits[id] != nil || fates == ["withdrawn"], "\(id) is told \(fates), and nobody's")
    }
    let revision = confirmed
    try promise(revision >= held, "goes back from \(held) to \(revision)")
    now.follow(
      (held..<revision).map { (owner.marks($0 + 1), owner.truth($0 + 1)) }, from: owner.truth(held),
      to: owner.truth(revision))
    now.reconfigured.formUnion(now.reloaded.intersection(arrived))
    now.again.formUnion(now.reloaded.intersection(arrived))
    now.reloaded.subtract(arrived)
    arrived = []
    if !now.isUnknown {
      known.formUnion(owner.made.filter { (held + 1..<revision + 1).contains($0.value) }.keys)
    }
    held = revision
    let state = PlainList(edited.list.snapshot).text
    try promise(
      state == owner.truth(held).text,
      "has\n  \(state)\nand never was there more than\n  \(owner.truth(held).text)")
    // An edit from before may show a row under a name that it no longer has, as another row.
    if !strange.isEmpty { now.isUnknown = true }
    // Every edit on top may be shown once more, and those that were decided on no longer count as such.
    for id in pending { now.allow(edits[id]) }
    pending.removeAll { known.contains($0) || told[$0] != nil }
    seen = try current()
    // A view may draw a row otherwise that waits for the owner.
    let former = unconfirmed
    unconfirmed = pending.isEmpty ? [] : seen.souls(changedSince: owner.truth(held))
    now.hinted.formUnion(unconfirmed.union(former))
    try FarEditLaw(
      edits: pending.compactMap { edits[$0] }, live: owner.truth(held), former: owner.everything
    ).judge(seen)
  }

  /// Whether everything has arrived.
  var isDone: Bool {
    edited.undecided.isEmpty && held >= owner.list.reader.hub.revision.number
  }

  /// The user sees what the owner has, and every change has come to its end.
  func judgeEnd() throws {
    try promise(
      seen.text == owner.truth.text,
      "shows\n  \(seen.text)\nat the end instead of\n  \(owner.truth.text)")
    for id in edits.keys {
      try promise(fates.told[id]?.count == 1, "\(id) is told \(fates.told[id] as Any) at the end")
    }
  }
}

extension PlainList {
  fileprivate var shownSouls: Set<Int> { Set(shownRows.map(\.soul)) }
}

extension [FarEdit] {
  fileprivate var allMarks: Marks { reduce(into: Marks()) { $0.formUnion($1.marks) } }
}
