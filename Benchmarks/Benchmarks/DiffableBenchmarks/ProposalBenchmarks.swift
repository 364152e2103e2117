import Benchmark
import Diffable
import DiffableSync
import DiffableTesting
import Foundation

/// Changes that followers in other processes propose, and the same changes by `update`.
func registerProposalBenchmarks() {
  let count = 100_000
  for who in ["ours", "update"] {
    Benchmark("proposals/accept/\(count)/\(who)/x10") { (benchmark, list: ProposedModels) in
      let changes = try await list.changes(10)
      benchmark.startMeasurement()
      for change in changes { try await list.make(change, asProposal: who == "ours") }
      benchmark.stopMeasurement()
      try await list.expectAll(changes)
    } setup: {
      try await ProposedModels(count: count)
    }
  }
  let followers = 1_000
  for who in ["ours", "update"] {
    Benchmark("proposals/followers/\(count)/\(who)/x\(followers)") {
      (benchmark, list: ProposedModels) in
      let changes = try await list.changes(followers)
      benchmark.startMeasurement()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for change in changes {
          group.addTask { [server = list.server] in
            try await server.make(change, asProposal: who == "ours")
          }
        }
        try await group.waitForAll()
      }
      benchmark.stopMeasurement()
      try await list.expectAll(changes)
    } setup: {
      try await ProposedModels(count: count)
    }
  }
}

/// A list, and changes of single rows that are all made from its present state.
private final class ProposedModels {
  typealias Proposed = Proposal<ModelBatch<Int, Model>>

  /// A row that is to be changed, and what a follower sends for that.
  struct Change: Sendable {
    let model: Model
    let proposal: Proposed
  }

  struct Server: Sendable {
    let source: ModelSource<Int, Model>

    func make(_ change: Change, asProposal isProposal: Bool) async throws {
      guard isProposal else {
        try await source.update { $0.setModel(change.model) }
        return
      }
      guard case .accepted = try await source.accept(change.proposal, { _, _ in }) else {
        throw WrongResult(expectation: "the proposal is accepted")
      }
    }
  }

  let server: Server
  private let workload: ChangingModels

  init(count: Int) async throws {
    // The base of a proposal has to be in the history.
    let source = ModelSource<Int, Model>(options: SourceOptions(history: 2_000))
    server = Server(source: source)
    workload = ChangingModels(count: count)
    try await source.apply(workload.models, section: { _ in 0 })
  }

  func make(_ change: Change, asProposal isProposal: Bool) async throws {
    try await server.make(change, asProposal: isProposal)
  }

  func changes(_ count: Int) async throws -> [Change] {
    let models = workload.changed(count)
    let base = server.source.token(for: await server.source.revision)
    let encoder = JSONEncoder()
    return try workload.lastChanged.map { row in
      let model = String(decoding: try encoder.encode(models[row]), as: UTF8.self)
      let id = Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
        .prefix(22).replacing("+", with: "-").replacing("/", with: "_")
      let text = #"{"format":1,"id":"\#(id)","base":"\#(base)","models":[\#(model)]}"#
      let proposal = try Proposed.read(text.utf8) {
        try JSONDecoder().decode(Proposed.self, from: Data($0))
      }
      return Change(model: models[row], proposal: proposal)
    }
  }

  func expectAll(_ changes: [Change]) async throws {
    for change in changes {
      let model = await server.source.model(for: change.model.id)
      try expect(model == change.model, "nothing is lost")
    }
  }
}
