import ListSupport

@testable import Diffable
@testable import DiffableSync

/// A server, and a follower with two edits whose stream and answers come in any order.
///
/// Nothing in it is concurrent: an event happens when the test says so.
struct LateWorld {
  typealias Batch = UpdateBatch<Int, Int>

  enum Event: Hashable {
    /// Another writer inserts an item.
    case theirs
    /// The server writes to the stream what has changed since its last delta, in one.
    case emit
    /// The next delta of the stream arrives.
    case deliver
    /// The proposal arrives at the server.
    case arrive
    case answer
    /// Fault: a delta comes once more, the first one of all or the last one.
    case again(isFirst: Bool)
    /// Fault: the next delta is lost for some time.
    case lose
    /// The delta that was lost comes.
    case late
    /// Fault: the stream is cut, and begins again from what the follower has.
    case reconnect
    /// Fault: the stream is cut, and begins again with everything.
    case reset
    /// Fault: the answer is lost, and the proposal is sent again.
    case loseAnswer
  }

  static let own = [10, 11]

  let server: SourceCore<Int, Int>
  let list: EditedList<Batch>
  private var position = Revision(1)
  private var stream: [Batch.Delta] = []
  private var delivered: [Batch.Delta] = []
  private var lost: Batch.Delta?
  private var hasLost = false
  private(set) var proposal: Proposal<Batch>?
  private var reply: ProposalAnswer<Batch>?
  private var hasWritten = false
  private var faults: Int
  /// The items of each revision of the server.
  private var orders: [[Int]] = []
  private var held = 1
  private let told: Told<Batch>

  init(faults: Int) throws {
    self.faults = faults
    let kernels = SnapshotKernels.ofNumbers()
    server = SourceCore(
      SourceOptions(epoch: Epoch(high: 1, low: 2)), kernels: kernels, children: nil)
    list = .unread(kernels)
    told = Told(of: list)
    try server.begin(with: [1], in: 0)
    record()
    let whole = server.whole
    _ = try list.apply { () throws(DeltaError) in whole }
    for (number, item) in Self.own.enumerated() {
      _ = try list.add(
        { state, _, _ in
          try state.appendItems([item])
          return Contradictions()
        }, named: nil, .animated, as: WriteID(ofForeignMessage: UInt64(number)))
    }
    proposal = list.next()
  }

  private mutating func record() {
    while orders.count < server.revision.number {
      let state = server.hub.state(at: Revision(orders.count + 1))
      orders.append(state.map { Snapshot<Int, Int>($0.snapshot).itemIdentifiers } ?? [])
    }
  }

  /// What can happen next.
  var events: [Event] {
    var events: [Event] = []
    if !hasWritten { events.append(.theirs) }
    if position < server.revision { events.append(.emit) }
    if !stream.isEmpty { events.append(.deliver) }
    if proposal != nil { events.append(reply == nil ? .arrive : .answer) }
    if lost != nil { events.append(.late) }
    guard faults > 0 else { return events }
    events += [.reconnect, .reset]
    if !delivered.isEmpty { events.append(.again(isFirst: false)) }
    if delivered.count > 1 { events.append(.again(isFirst: true)) }
    // A connection keeps its order: nothing comes before the reset that it begins with.
    if stream.first?.isReset == false, lost == nil { events.append(.lose) }
    if reply != nil { events.append(.loseAnswer) }
    return events
  }

  /// Lets an event happen.
  ///
  /// - Returns: The law that it breaks.
  mutating func perform(_ event: Event) throws -> String? {
    switch event {
    case .theirs:
      hasWritten = true
      try server.write { try $0.insertItems([100], beforeItem: 1) }
    case .emit:
      let reader = RevisionReader<Int, Int>(hub: server.hub)
      guard let batch = reader.batch(since: position, limit: .max) else { return "nothing to emit" }
      stream.append(UpdateDelta(batch))
      position = server.revision
    case .deliver:
      let delta = stream.removeFirst()
      if try apply(delta), !delta.isReset { delivered.append(delta) }
    case .again(let isFirst):
      faults -= 1
      guard let delta = isFirst ? delivered.first : delivered.last else { break }
      let hadGap = hasLost
      guard try apply(delta) else { return "rejects what it has had" }
      hasLost = hadGap
    case .lose:
      faults -= 1
      (lost, hasLost) = (stream.removeFirst(), true)
    case .late:
      guard let delta = lost else { break }
      lost = nil
      _ = try apply(delta)
    case .reconnect:
      faults -= 1
      connect(list.list.token)
    case .reset:
      faults -= 1
      connect(nil)
    case .arrive:
      guard let proposal else { break }
      reply = try server.accept(proposal) { _, _ in }
    case .answer:
      guard let sent = proposal, let answer = reply else { break }
      (proposal, reply) = (nil, nil)
      list.receive(answer, for: sent.id)
    case .loseAnswer:
      faults -= 1
      guard let sent = proposal else { break }
      (proposal, reply) = (nil, nil)
      list.fail(sent.id)
    }
    record()
    if proposal == nil { proposal = list.next() }
    return fault
  }

  /// - Returns: Whether the delta fits; if not, the stream begins again.
  private mutating func apply(_ delta: Batch.Delta) throws -> Bool {
    do throws(DeltaError) {
      _ = try list.apply { () throws(DeltaError) in delta }
      return true
    } catch {
      guard hasLost, case .wrongBase = error else { throw error }
      connect(list.list.token)
      return false
    }
  }

  private mutating func connect(_ token: ResumeToken?) {
    // Nothing comes any more from the connection before.
    (lost, hasLost) = (nil, false)
    (stream, position) = ([], server.revision)
    if let revision = token.flatMap(server.hub.revision(for:)) {
      position = revision
    } else {
      stream = [server.whole]
    }
  }

  private var fault: String? {
    mutating get {
      let revision = list.list.held?.parts?.place.revision.number ?? 0
      defer { held = revision }
      if revision < held { return "goes back from \(held) to \(revision)" }
      let confirmed = list.list.snapshot.itemIdentifiers
      guard confirmed == orders[revision - 1] else {
        return "has another state than the server had"
      }
      let shown = list.overlay.core.snapshot.itemIdentifiers
      guard shown.suffix(2) == Self.own[...] else { return "shows \(shown)" }
      let rest = shown.dropLast(2)
      guard Array(rest) == confirmed.filter({ $0 == 1 || $0 == 100 }) else {
        return "shows \(shown) on \(confirmed)"
      }
      // What waits goes out at once: nothing waits for the stream.
      if proposal == nil, told.acceptances.count < 2 { return "waits for the stream" }
      return nil
    }
  }

  /// Lets everything arrive.
  ///
  /// - Returns: The law that is broken at the end.
  mutating func finish() throws -> String? {
    faults = 0
    while let event = events.last(where: { $0 != .theirs }) {
      if let fault = try perform(event) { return "\(event) at the end: \(fault)" }
    }
    if list.list.snapshot.itemIdentifiers != server.snapshot.itemIdentifiers {
      return "has not come to the end"
    }
    if server.revision != Revision(hasWritten ? 4 : 3) { return "has made an edit twice" }
    let ids = [0, 1].map { WriteID(ofForeignMessage: $0) }
    return told.ids == ids && told.acceptances.count == ids.count
      ? nil : "told \(told.ids), of which \(told.acceptances.count) are accepted"
  }
}
