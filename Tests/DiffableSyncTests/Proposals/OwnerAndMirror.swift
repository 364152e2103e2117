import Foundation
import ListSupport

@testable import Diffable
@testable import DiffableSync

/// An owner, and a mirror that its user edits; what is between them happens when a test says so.
///
/// Whatever goes from one to the other is written and read.
struct OwnerAndMirror<Batch: DeltaBatch>
where Batch.SectionID: Codable, Batch.ItemID: Codable, Batch.Element: Codable, Batch.Delta: Codable
{
  let server: SourceCore<Batch.SectionID, Batch.ItemID>
  private(set) var list: EditedList<Batch>
  private let kernels: SnapshotKernels
  private let handlers: ModelHandlers<Batch.SectionID>
  private let cursor: CursorToken
  private var deltas: [Batch.Delta] = []
  private var received = 0
  /// What was sent and not answered, and what was answered and has not arrived.
  private(set) var proposal: Proposal<Batch>?
  private(set) var answer: ProposalAnswer<Batch>?

  init(
    _ kernels: SnapshotKernels, _ handlers: ModelHandlers<Batch.SectionID> = ModelHandlers(),
    start: (inout Batch.Draft) throws -> Void
  ) throws {
    (self.kernels, self.handlers) = (kernels, handlers)
    server = SourceCore(SourceOptions(), kernels: kernels, children: nil, handlers: handlers)
    list = .unread(kernels, handlers)
    cursor = CursorToken(hub: server.hub, policy: .every(limit: 1000), after: nil)
    try write(start)
    try deliver()
  }

  private func sent<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  /// Lets others change the list of the owner.
  mutating func write(_ edit: (inout Batch.Draft) throws -> Void) throws {
    try server.begin(ifRevision: nil)
    try server.transact(.animated) {
      try server.live.update(duplicates: .reject) { try Batch._edit(&$0, &$1, renamed: [], edit) }
    }
    publish()
  }

  private mutating func publish() {
    let reader = RevisionReader<Batch.SectionID, Batch.ItemID>(hub: server.hub)
    while let batch = reader.poll(cursor) { deltas.append(Batch(batch).delta) }
  }

  /// Lets the user of the mirror change it.
  func edit(
    named name: String? = "mine", showing presentation: Presentation = .animated,
    _ edit: @escaping @Sendable (inout Batch.Draft) throws -> Void
  ) throws {
    _ = try list.add(
      { snapshot, given, names in
        try Batch._edit(&snapshot, &given, renamed: names.renames.inOrder, edit)
        return Contradictions()
      }, named: name, presentation)
  }

  /// Whether something is on its way to the mirror.
  var isBehind: Bool { received < deltas.count }

  /// Lets the mirror have the next revision.
  mutating func deliverNext() throws {
    let delta = try sent(deltas[received])
    received += 1
    _ = try list.apply { () throws(DeltaError) in delta }
  }

  /// Lets the mirror have everything.
  mutating func deliver() throws { while isBehind { try deliverNext() } }

  /// Lets the stream begin again with everything.
  mutating func reset() throws {
    let whole = UpdateBatch(
      showingValid: server.snapshot, epoch: server.hub.epoch, at: server.place)
    let delta = try sent(Batch(whole).delta)
    _ = try list.apply { () throws(DeltaError) in delta }
    received = deltas.count
  }

  /// Lets the owner decide on a proposal.
  mutating func accept(
    _ proposal: Proposal<Batch>,
    _ decide: (ProposedChange<Batch>, inout Batch.Draft) throws -> Void = { _, _ in }
  ) throws -> ProposalAnswer<Batch> {
    let answer = try server.accept(sent(proposal), decide)
    publish()
    return try sent(answer)
  }

  /// Lets the owner have all that waits, and the mirror what comes of it.
  mutating func send() throws {
    while let proposal = list.next() {
      list.receive(try accept(proposal), for: proposal.id)
      try deliver()
    }
    try deliver()
  }

  // MARK: Step by step

  /// Sends what can be sent, if nothing is on the way.
  mutating func post() { if proposal == nil { proposal = list.next() } }

  /// Lets the owner decide on what was sent.
  mutating func arrive(
    _ decide: (ProposedChange<Batch>, inout Batch.Draft) throws -> Void = { _, _ in }
  ) throws {
    if let proposal { answer = try accept(proposal, decide) }
  }

  /// Lets the mirror have the answer, which may leave the rest to the stream.
  mutating func receive(isShort: Bool = false) {
    guard let sent = proposal, let answer else { return }
    (proposal, self.answer) = (nil, nil)
    list.receive(isShort ? answer.withoutDelta : answer, for: sent.id)
  }

  /// Lets the proposal, or the answer to it, get lost.
  mutating func lose() {
    guard let sent = proposal else { return }
    (proposal, answer) = (nil, nil)
    list.fail(sent.id)
  }

  /// What an app has stored, and where its stream was.
  struct Life {
    fileprivate let stored: PendingEdits<Batch>?
    fileprivate let received: Int

    /// Whether all changes make something of the stored state.
    var isComplete: Bool { stored?.detours.isEmpty ?? false }

    /// The same, as a version would have stored it that noted nothing.
    var withoutNotes: Life {
      let stored = stored.map {
        PendingEdits<Batch>(
          state: $0.state, proposals: $0.proposals, detours: $0.detours, questions: $0.questions,
          notes: nil)
      }
      return Life(stored: stored, received: received)
    }
  }

  var life: Life { Life(stored: list.stored, received: received) }

  /// Ends the app, and begins it again with what it has stored.
  ///
  /// - Parameters:
  ///   - life: What it has stored some time before; by default all that there is.
  ///   - isFollowing: Whether the mirror has the newest state before it learns of that.
  mutating func restart(from life: Life? = nil, isFollowing: Bool = false) throws {
    let life = life ?? self.life
    let (stored, decided) = (try sent(life.stored), list.decided)
    (received, proposal, answer) = (life.received, nil, nil)
    list = .unread(kernels, handlers)
    list.decided = decided
    if isFollowing { try reset() }
    if let stored { try list.resume(stored) }
  }
}

extension OwnerAndMirror where Batch == UpdateBatch<Int, Int> {
  /// Begins with numbers in one section.
  init(_ items: ClosedRange<Int>) throws {
    try self.init(.ofNumbers()) { list in
      list.appendSections([0])
      try list.appendItems(Array(items))
    }
  }
}

extension OwnerAndMirror<ModelBatch<String, Card>> {
  /// Begins with cards in the first of some sections.
  init(
    _ cards: [Card], in sections: [String] = ["s"],
    _ handlers: ModelHandlers<String> = ModelHandlers()
  ) throws {
    let kernels = Snapshot<String, Int>.makeKernels(models: ElementKernel(models: Card.self))
    try self.init(kernels, handlers) { draft in
      draft.appendSections(sections)
      try draft.appendItems(cards, toSection: sections[0])
    }
  }
}
