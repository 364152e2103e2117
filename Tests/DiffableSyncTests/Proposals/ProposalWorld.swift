import DiffableTesting
import ListSupport

@testable import Diffable
@testable import DiffableSync

/// A server, some followers and everything between them, without concurrency.
///
/// The lists and their rules are the real ones. An event happens when the test says so.
///
/// Copies share their lists. A copy that changes a list first brings one of its own to the same state.
struct ProposalWorld {
  typealias Batch = UpdateBatch<Int, Int>
  typealias State = Snapshot<Int, Int>
  typealias Answer = ProposalAnswer<Batch>

  /// How many things can go wrong.
  struct Faults: Hashable {
    /// How many followers are cut off from the stream for some time.
    var cuts = 0
    /// How many proposals and answers are lost, or come too late.
    var losses = 0
  }

  /// What can happen next.
  enum Event: Hashable {
    /// The user of a follower makes the next edit.
    case edit(Int)
    /// A proposal arrives at the server.
    case arrive(Int)
    /// An answer arrives at a follower.
    case answer(Int)
    /// The next revision arrives at a follower.
    case deliver(Int)
    /// Fault: a proposal is lost.
    case loseProposal(Int)
    /// Fault: an answer is lost.
    case loseAnswer(Int)
    /// Fault: a follower no longer waits for its answer, and the proposal still arrives.
    case late(Int)
    /// Fault: a follower was cut off, and gets the newest state as a reset.
    case reset(Int)

    /// The follower that it happens to; other followers stay as they are.
    var follower: Int {
      switch self {
      case .edit(let index), .arrive(let index), .answer(let index), .deliver(let index),
        .loseProposal(let index), .loseAnswer(let index), .late(let index), .reset(let index):
        index
      }
    }

    var isFault: Bool { isCut || isLoss }

    var isCut: Bool { if case .reset = self { true } else { false } }

    var isLoss: Bool {
      switch self {
      case .loseProposal, .loseAnswer, .late: true
      default: false
      }
    }
  }

  /// What an edit does.
  enum Edit: Hashable, CustomStringConvertible {
    /// Inserts an item at the end; the server refuses items from 1000 on.
    case insert(Int)
    case moveFirstToEnd
    case delete(Int)

    var description: String {
      switch self {
      case .insert(let item): "+\(item)"
      case .delete(let item): "-\(item)"
      case .moveFirstToEnd: "move"
      }
    }
  }

  struct Follower {
    var list: EditedList<Batch>
    /// What has happened to the list since it was made.
    var calls: [Call] = []
    var ownership = Ownership()
    let edits: [Edit]
    var script: [Edit]
    /// The number of revisions that it has received.
    var received = 0
    /// On the way to the server.
    var proposals: [Proposal<Batch>] = []
    var answers: [(id: WriteID, answer: Answer)] = []
    /// The name of the proposal that it waits for.
    var waiting: WriteID?
    /// The items that its user has inserted and sees until they are refused.
    var own: Set<Int> = []
    /// What the laws have looked at last.
    var checked: Checked?

    /// The number of revisions that it has: of its stream, or more if an answer has brought it further.
    var held: Int { list.list.held?.parts?.place.revision.number ?? 0 }
  }

  /// What the laws about a follower depend on.
  struct Checked {
    let confirmed: State
    let shown: State
    let pendingCount: Int

    /// Whether both are the same objects, so that the laws need not look again.
    func isIdentical(to other: Self) -> Bool {
      confirmed.order.isIdentical(to: other.confirmed.order)
        && shown.order.isIdentical(to: other.shown.order) && pendingCount == other.pendingCount
    }
  }

  var server: SourceCore<Int, Int>
  var cursor: CursorToken
  /// What has arrived at the server.
  var arrived: [Proposal<Batch>] = []
  var ownership = Ownership()
  let kernels = SnapshotKernels.ofNumbers()
  private(set) var deltas: [UpdateDelta<Int, Int>] = []
  /// The items of each revision of the server, in their order.
  private(set) var orders: [[Int]] = []
  private(set) var contents: [Set<Int>] = []
  var followers: [Follower] = []
  private(set) var faults: Faults
  /// Which edit of which follower a proposal is.
  private(set) var meanings: [WriteID: Meaning] = [:]
  private(set) var inserted: Set<Int> = []
  private(set) var deleted: Set<Int> = []
  /// The proposals that have made a revision, and the items that these leave.
  private var made: Set<WriteID> = []
  private(set) var accepted: Set<Int> = [1, 2, 3]
  var fault: String?

  struct Meaning: Hashable {
    let follower: Int
    let edit: UInt64
  }

  /// Whether answers bring what a follower does not have yet.
  let areAnswersWhole: Bool

  init(_ scripts: [[Edit]], faults: Faults, areAnswersWhole: Bool) throws {
    (self.faults, self.areAnswersWhole) = (faults, areAnswersWhole)
    (server, cursor) = try Self.makeServer(kernels)
    record()
    for script in scripts {
      followers.append(Follower(list: .unread(kernels), edits: script, script: script))
    }
    for index in followers.indices { try receive(deltas[0], index, 1) }
  }

  /// Notes what the server has published.
  private mutating func record() {
    let reader = RevisionReader<Int, Int>(hub: server.hub)
    while let batch = reader.poll(cursor) {
      deltas.append(UpdateDelta(batch))
      let order = items(batch.snapshot)
      orders.append(order)
      contents.append(distinctNumbers(order) ?? [])
    }
  }

  var events: [Event] {
    var events: [Event] = []
    for (index, follower) in followers.enumerated() {
      if !follower.script.isEmpty { events.append(.edit(index)) }
      if !follower.proposals.isEmpty { events.append(.arrive(index)) }
      if !follower.answers.isEmpty { events.append(.answer(index)) }
      if follower.received < deltas.count { events.append(.deliver(index)) }
      if faults.losses > 0 {
        if follower.proposals.count == 1, follower.waiting == follower.proposals[0].id {
          events += [.loseProposal(index), .late(index)]
        }
        if !follower.answers.isEmpty { events.append(.loseAnswer(index)) }
      }
      if faults.cuts > 0, follower.received < deltas.count { events.append(.reset(index)) }
    }
    return events
  }

  /// Lets an event happen, and looks whether the laws hold.
  mutating func perform(_ event: Event) throws {
    try carryOut(event)
    if case .arrive = event { checkServer() }
    for index in followers.indices { check(index, hasChanged: index == event.follower) }
  }

  private mutating func carryOut(_ event: Event) throws {
    if event.isCut { faults.cuts -= 1 }
    if event.isLoss { faults.losses -= 1 }
    switch event {
    case .edit(let index): try edit(index)
    case .arrive(let index):
      let proposal = followers[index].proposals.removeFirst()
      let answer = try accept(proposal)
      noteArrival(of: proposal)
      if followers[index].waiting == proposal.id {
        followers[index].answers.append(
          (proposal.id, areAnswersWhole ? answer : answer.withoutDelta))
      }
    case .answer(let index):
      let (id, answer) = followers[index].answers.removeFirst()
      if followers[index].waiting == id { followers[index].waiting = nil }
      try call(.receive(answer, id), index)
      if case .refused = answer { followers[index].own = followers[index].own.filter { $0 < 1000 } }
    case .deliver(let index):
      try receive(deltas[followers[index].received], index, followers[index].received + 1)
    case .loseProposal(let index):
      let proposal = followers[index].proposals.removeFirst()
      try give(up: proposal.id, index)
    case .loseAnswer(let index): try give(up: followers[index].answers.removeFirst().id, index)
    case .late(let index): try give(up: followers[index].proposals[0].id, index)
    case .reset(let index):
      let state = Batch(showingValid: server.snapshot, epoch: server.hub.epoch, at: server.place)
      try receive(UpdateDelta(state), index, deltas.count)
    }
    try send(event.follower)
  }

  /// Notes what a proposal should have done, if it has made a revision.
  private mutating func noteArrival(of proposal: Proposal<Batch>) {
    let count = deltas.count
    record()
    guard deltas.count > count, let meaning = meanings[proposal.id] else { return }
    if !made.insert(proposal.id).inserted { fault = "\(meaning) was made twice" }
    followers[meaning.follower].edits[Int(meaning.edit) - 1].apply(to: &accepted)
  }

  private mutating func edit(_ index: Int) throws {
    let edit = followers[index].script.removeFirst()
    switch edit {
    case .insert(let item):
      followers[index].own.insert(item)
      inserted.insert(item)
    case .delete(let item): deleted.insert(item)
    case .moveFirstToEnd: break
    }
    let (id, rest) = (WriteID(), followers[index].script.count)
    meanings[id] = Meaning(follower: index, edit: UInt64(followers[index].edits.count - rest))
    try call(.add(edit, id), index)
  }

  private mutating func receive(_ delta: UpdateDelta<Int, Int>, _ index: Int, _ count: Int) throws {
    followers[index].received = count
    try call(.apply(delta), index)
  }

  private mutating func give(up id: WriteID, _ index: Int) throws {
    guard followers[index].waiting == id else { return }
    followers[index].waiting = nil
    try call(.fail(id), index)
  }

  /// Sends what can be sent.
  private mutating func send(_ index: Int) throws {
    guard followers[index].waiting == nil, let next = try call(.send, index) else { return }
    followers[index].waiting = next.id
    followers[index].proposals.append(next)
  }
}
