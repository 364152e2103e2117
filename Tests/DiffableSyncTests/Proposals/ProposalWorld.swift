import DiffableTesting

@testable import Diffable
@testable import DiffableSync

/// A server, some followers and everything between them, without concurrency.
///
/// The lists and their rules are the real ones. An event happens when the test says so.
final class ProposalWorld {
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

    var isFault: Bool { isCut || isLoss }

    var isCut: Bool {
      if case .reset = self { true } else { false }
    }

    var isLoss: Bool {
      switch self {
      case .loseProposal, .loseAnswer, .late: true
      default: false
      }
    }
  }

  /// What an edit does.
  enum Edit: Hashable {
    /// Inserts an item at the end; the server refuses items from 1000 on.
    case insert(Int)
    case moveFirstToEnd
    case delete(Int)
  }

  struct Follower {
    let list: EditedList<Batch>
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
  }

  let server: SourceCore<Int, Int>
  private let cursor: CursorToken
  private(set) var deltas: [UpdateDelta<Int, Int>] = []
  private(set) var states: [State] = []
  private(set) var followers: [Follower] = []
  private(set) var faults: Faults
  /// Which edit of which follower a proposal is.
  private(set) var meanings: [WriteID: Meaning] = [:]
  private var inserted: Set<Int> = []
  private var deleted: Set<Int> = []
  private(set) var fault: String?

  struct Meaning: Hashable {
    let follower: Int
    let edit: UInt64
  }

  init(_ scripts: [[Edit]], faults: Faults, after path: [Event] = []) throws {
    self.faults = faults
    let kernels = State.makeKernels()
    let options = SourceOptions(epoch: Epoch(high: 1, low: 2))
    server = SourceCore(options, kernels: kernels, children: nil)
    cursor = CursorToken(hub: server.hub, policy: .every(limit: 10_000), after: nil)
    var start = State()
    start.appendSections([0])
    try start.appendItems([1, 2, 3])
    try server.begin(with: start)
    record()
    for script in scripts {
      let core = SourceCore<Int, Int>(SourceOptions(), kernels: kernels, children: nil)
      let list = EditedList<Batch>(MirroredList(core, limits: DeltaLimits()), SourceOptions(), nil)
      followers.append(Follower(list: list, edits: script, script: script))
    }
    for index in followers.indices { try receive(deltas[0], index, 1) }
    for event in path { try perform(event) }
  }

  /// Notes what the server has published.
  private func record() {
    let reader = RevisionReader<Int, Int>(hub: server.hub)
    while let batch = reader.poll(cursor) {
      deltas.append(UpdateDelta(batch))
      states.append(batch.snapshot)
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

  func perform(_ event: Event) throws {
    if event.isCut { faults.cuts -= 1 }
    if event.isLoss { faults.losses -= 1 }
    switch event {
    case .edit(let index): try edit(index)
    case .arrive(let index):
      let proposal = followers[index].proposals.removeFirst()
      let answer = try server.accept(proposal, within: DeltaLimits()) { change, _ in
        for case .insertItem(1000..., _) in change.changes {
          throw Refusal(code: "tooLarge", reason: "Too large.")
        }
      }
      record()
      if followers[index].waiting == proposal.id {
        followers[index].answers.append((proposal.id, answer))
      }
    case .answer(let index):
      let (id, answer) = followers[index].answers.removeFirst()
      if followers[index].waiting == id { followers[index].waiting = nil }
      followers[index].list.receive(answer, for: id)
      if case .refused = answer {
        followers[index].own = followers[index].own.filter { $0 < 1000 }
      }
    case .deliver(let index):
      try receive(deltas[followers[index].received], index, followers[index].received + 1)
    case .loseProposal(let index):
      let proposal = followers[index].proposals.removeFirst()
      give(up: proposal.id, index)
    case .loseAnswer(let index): give(up: followers[index].answers.removeFirst().id, index)
    case .late(let index): give(up: followers[index].proposals[0].id, index)
    case .reset(let index):
      let state = Batch(
        showingValid: server.snapshot, epoch: server.hub.epoch, at: server.place)
      try receive(UpdateDelta(state), index, deltas.count)
    }
    for index in followers.indices { send(index) }
    check()
  }

  private func edit(_ index: Int) throws {
    let edit = followers[index].script.removeFirst()
    switch edit {
    case .insert(let item):
      followers[index].own.insert(item)
      inserted.insert(item)
    case .delete(let item): deleted.insert(item)
    case .moveFirstToEnd: break
    }
    let added = try followers[index].list.add(
      { state, _, _ in
        switch edit {
        case .insert(let item): try state.appendItems([item])
        case .delete(let item): state.deleteItems([item])
        case .moveFirstToEnd:
          guard let first = state.itemIdentifiers.first, let last = state.itemIdentifiers.last,
            first != last
          else { break }
          try state.moveItem(first, afterItem: last)
        }
        return Contradictions()
      }, named: nil, .animated)
    meanings[added.edit.id] = Meaning(follower: index, edit: added.edit.number)
  }

  private func receive(_ delta: UpdateDelta<Int, Int>, _ index: Int, _ count: Int) throws {
    followers[index].received = count
    _ = try followers[index].list.apply { () throws(DeltaError) in delta }
  }

  private func give(up id: WriteID, _ index: Int) {
    guard followers[index].waiting == id else { return }
    followers[index].waiting = nil
    followers[index].list.fail(id)
  }

  /// Sends what can be sent.
  private func send(_ index: Int) {
    guard followers[index].waiting == nil, let next = followers[index].list.next() else { return }
    followers[index].waiting = next.id
    followers[index].proposals.append(next)
  }

  // MARK: Laws

  func shown(_ index: Int) -> State { followers[index].list.overlay.core.snapshot }

  /// What must hold at any time.
  private func check() {
    for (index, follower) in followers.enumerated() {
      if follower.list.list.snapshot != states[follower.received - 1] {
        fault = "follower \(index) has another state than the server had"
      }
      let items = shown(index)
      for item in follower.own where !items.containsItem(item) && !deleted.contains(item) {
        fault = "\(item) has vanished from follower \(index): \(items)"
      }
      let pending = follower.list.overlay.pending
      if pending.isEmpty, items != follower.list.list.snapshot {
        fault = "follower \(index) shows \(items) with nothing pending"
      }
      // The state of the server, and the follower's own edits.
      var expected = Set(follower.list.list.snapshot.itemIdentifiers)
      for edit in pending {
        switch follower.edits[Int(edit.number) - 1] {
        case .insert(let item): expected.insert(item)
        case .delete(let item): expected.remove(item)
        case .moveFirstToEnd: break
        }
      }
      if items.numberOfItems != expected.count || Set(items.itemIdentifiers) != expected {
        fault = "follower \(index) shows \(items) instead of \(expected.sorted())"
      }
    }
    for item in server.snapshot.itemIdentifiers where item >= 1000 {
      fault = "\(item) was refused, and is there"
    }
  }

  /// What must hold when everything has arrived.
  var faultAtEnd: String? {
    if let fault { return fault }
    let expected = Set([1, 2, 3]).union(inserted.filter { $0 < 1000 }).subtracting(deleted)
    let items = server.snapshot.itemIdentifiers
    if items.count != expected.count || Set(items) != expected {
      return "the server has \(items) instead of \(expected.sorted())"
    }
    for (index, follower) in followers.enumerated() {
      if !follower.list.overlay.pending.isEmpty { return "follower \(index) has something pending" }
      if shown(index) != server.snapshot { return "follower \(index) shows \(shown(index))" }
    }
    return nil
  }
}
