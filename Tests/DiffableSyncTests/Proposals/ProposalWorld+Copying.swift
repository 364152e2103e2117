import ListSupport

@testable import Diffable
@testable import DiffableSync

extension ProposalWorld {
  /// What can happen to the list of a follower.
  enum Call {
    case add(Edit, WriteID)
    case send
    case receive(Answer, WriteID)
    case fail(WriteID)
    case apply(UpdateDelta<Int, Int>)
  }

  /// Held by the worlds that share a list.
  final class Ownership {}

  static func makeServer(_ kernels: SnapshotKernels) throws -> (SourceCore<Int, Int>, CursorToken) {
    let options = SourceOptions(epoch: Epoch(high: 1, low: 2))
    let server = SourceCore<Int, Int>(options, kernels: kernels, children: nil)
    var start = State()
    start.appendSections([0])
    try start.appendItems([1, 2, 3])
    try server.begin(with: start)
    return (server, CursorToken(hub: server.hub, policy: .every(limit: 10_000), after: nil))
  }

  /// Lets something happen to the list of a follower.
  ///
  /// - Returns: The proposal that it makes.
  @discardableResult mutating func call(_ call: Call, _ index: Int) throws -> Proposal<Batch>? {
    if !isKnownUniquelyReferenced(&followers[index].ownership) {
      followers[index].ownership = Ownership()
      followers[index].list = .unread(kernels)
      for call in followers[index].calls { _ = try followers[index].list.perform(call) }
    }
    followers[index].calls.append(call)
    return try followers[index].list.perform(call)
  }

  /// Lets a proposal arrive at the server, which refuses items from 1000 on.
  mutating func accept(_ proposal: Proposal<Batch>) throws -> Answer {
    if !isKnownUniquelyReferenced(&ownership) {
      ownership = Ownership()
      (server, cursor) = try Self.makeServer(kernels)
      for proposal in arrived { _ = try answer(to: proposal) }
      let reader = RevisionReader<Int, Int>(hub: server.hub)
      while reader.poll(cursor) != nil {}
    }
    arrived.append(proposal)
    return try answer(to: proposal)
  }

  private func answer(to proposal: Proposal<Batch>) throws -> Answer {
    try server.accept(proposal) { change, _ in
      for case .insertItem(1000..., _) in change.changes {
        throw Refusal(code: "tooLarge", reason: "Too large.")
      }
    }
  }
}

extension EditedList<ProposalWorld.Batch> {
  /// - Returns: The proposal that is to be sent.
  fileprivate func perform(_ call: ProposalWorld.Call) throws -> Proposal<Batch>? {
    switch call {
    case .add(let edit, let id):
      _ = try add(
        { state, _, _ in
          try edit.apply(to: &state)
          return Contradictions()
        }, named: nil, .animated, as: id)
    case .send: return next()
    case .receive(let answer, let id): receive(answer, for: id)
    case .fail(let id): fail(id)
    case .apply(let delta): _ = try apply { () throws(DeltaError) in delta }
    }
    return nil
  }
}

extension ProposalWorld.Edit {
  fileprivate func apply(to state: inout ProposalWorld.State) throws {
    switch self {
    case .insert(let item): try state.appendItems([item])
    case .delete(let item): state.deleteItems([item])
    case .moveFirstToEnd:
      let items = state.items(inSectionAt: 0)
      guard let first = items.first, let last = items.last, first != last else { break }
      try state.moveItem(first, afterItem: last)
    }
  }
}
