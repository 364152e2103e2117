import ListSupport

@testable import Diffable
@testable import DiffableSync

/// A list of four rows, and a mirror whose stream is late.
struct LatePlaces {
  typealias Batch = UpdateBatch<Int, Int>

  /// How the mirror learns what the owner has made of its changes.
  enum Way: CaseIterable {
    case answer
    /// The answer leaves the rest to the stream.
    case shortAnswer
    /// The stream joins it with what others change afterwards.
    case joinedStream
    /// The answer is lost, and comes when the owner is asked again.
    case lostAnswer
  }

  let server: SourceCore<Int, Int>
  let list: EditedList<Batch>
  let way: Way
  var decide: (ProposedChange<Batch>, inout Snapshot<Int, Int>) throws -> Void = { _, _ in }
  private var received = Revision(1)

  init(_ way: Way) throws {
    self.way = way
    let kernels = SnapshotKernels.ofNumbers()
    server = SourceCore(SourceOptions(), kernels: kernels, children: nil)
    list = .unread(kernels)
    try server.begin(with: [1, 2, 3, 4], in: 0)
    let whole = server.whole
    _ = try list.apply { () throws(DeltaError) in whole }
  }

  func write(_ edit: (inout Snapshot<Int, Int>) throws -> Void) throws {
    try server.write(edit)
  }

  func edit(_ edit: @escaping @Sendable (inout Snapshot<Int, Int>) throws -> Void) throws {
    _ = try list.add(
      { state, _, _ in
        try edit(&state)
        return Contradictions()
      }, named: "mine", .animated)
  }

  func accept(_ proposal: Proposal<Batch>) throws -> ProposalAnswer<Batch> {
    try server.accept(proposal, decide)
  }

  /// Lets the mirror have everything, in one delta.
  mutating func deliver() throws {
    let reader = RevisionReader<Int, Int>(hub: server.hub)
    guard let batch = reader.batch(since: received, limit: .max) else { return }
    received = server.revision
    _ = try list.apply { () throws(DeltaError) in UpdateDelta(batch) }
  }

  /// Lets the owner have all that waits, and the mirror what comes of it.
  mutating func send() throws {
    var lost: WriteID?
    while let proposal = list.next() {
      let answer = try accept(proposal)
      switch way {
      case .answer: list.receive(answer, for: proposal.id)
      case .shortAnswer: list.receive(answer.withoutDelta, for: proposal.id)
      case .joinedStream:
        try write { try $0.reloadItems([4]) }
        list.receive(answer, for: proposal.id)
      case .lostAnswer:
        if lost == proposal.id {
          list.receive(answer, for: proposal.id)
        } else {
          lost = proposal.id
          list.fail(proposal.id)
        }
      }
      try deliver()
    }
    try deliver()
  }
}
