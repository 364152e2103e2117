import Diffable
import DiffableSync
import Foundation

// A shared to-do list, written after the article “Lists that are written from elsewhere” alone.

struct ToDo: Identifiable, Codable, Equatable {
  let id: String
  var title: String
  var isDone = false
}

typealias ToDos = ModelBatch<String, ToDo>

@Sendable func merged(base: ToDo, theirs: ToDo, mine: ToDo) -> ToDo {
  var merged = mine
  if mine.title == base.title { merged.title = theirs.title }
  if mine.isDone == base.isDone { merged.isDone = theirs.isDone }
  return merged
}

struct ToDoServer: Sendable {
  let list = ModelSource<String, ToDo>(mergeHandler: merged)

  func events(after token: ResumeToken?) -> DeltaEvents<ToDos> {
    list.events(after: token) { try Array(JSONEncoder().encode($0)) }
  }

  func answer(to body: Data) async throws -> Data {
    let proposal: Proposal<ToDos>
    do throws(DeltaError) {
      proposal = try .read(body) { try JSONDecoder().decode(Proposal.self, from: $0) }
    } catch {
      return try JSONEncoder().encode(ProposalAnswer<ToDos>.refused(Refusal(error)))
    }
    let answer = try await list.accept(proposal) { proposed, draft in
      for case .insertItem(let id, _) in proposed.changes where draft.model(for: id)?.title == "" {
        throw Refusal(code: "title", reason: "What is to be done?")
      }
    }
    return try JSONEncoder().encode(answer)
  }
}

/// What carries requests to the server.
protocol ToDoNetwork: Sendable {
  func open(after token: ResumeToken?) async throws -> AsyncThrowingStream<[UInt8], any Error>
  func post(_ body: Data) async throws -> Data
}

struct ToDoClient: Sendable {
  let list: EditableMirror<ToDos>
  let following: Task<Void, any Error>

  init(_ network: any ToDoNetwork, resuming stored: Data? = nil, clock: any Clock<Duration>)
    async throws
  {
    let mirror = MirrorSource<ToDos>()
    let pending = try stored.flatMap {
      try JSONDecoder().decode(PendingEdits<ToDos>?.self, from: $0)
    }
    list = try await mirror.editable(
      resuming: pending, options: ProposalOptions(source: SourceOptions(clock: clock)),
      mergeHandler: merged
    ) { proposal in
      let answer = try await network.post(JSONEncoder().encode(proposal))
      return try JSONDecoder().decode(ProposalAnswer.self, from: answer)
    }
    following = Task {
      try await mirror.follow(clock: clock) { token in
        try await network.open(after: token)
      } decode: {
        try JSONDecoder().decode(ModelDelta.self, from: Data($0))
      }
    }
  }

  func add(_ todo: ToDo) async throws -> ProposedWrite<ToDos> {
    try await list.update(named: "Add") { try $0.appendItems([todo], toSection: "Home") }
  }

  func change(_ id: String, _ change: @escaping @Sendable (inout ToDo) -> Void) async throws {
    try await list.update(named: "Change") { try $0.update(id, change) }
  }

  func stored() async throws -> Data { try await JSONEncoder().encode(list.pending) }
}
