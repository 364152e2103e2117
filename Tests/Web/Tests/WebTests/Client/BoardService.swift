import Diffable
import DiffableSync
import Foundation
import Synchronization

@testable import WebLists

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server of a board without a network, which a test can cut off.
final class BoardService: ListService {
  private typealias Pieces = AsyncThrowingStream<Data, any Error>.Continuation

  private struct State {
    var isReachable = true
    var connections: [Pieces] = []
    var tokens: [ResumeToken?] = []
  }

  private let board: BoardSource
  private let state = Mutex(State())

  init(_ board: BoardSource) { self.board = board }

  /// What was asked for, in its order: the state that the client had.
  var tokens: [ResumeToken?] { state.withLock { $0.tokens } }

  /// Ends all connections, and lets nothing through until `mend`.
  func cut() {
    let connections = state.withLock { state in
      defer { state.connections = [] }
      state.isReachable = false
      return state.connections
    }
    for pieces in connections { pieces.finish(throwing: URLError(.networkConnectionLost)) }
  }

  func mend() { state.withLock { $0.isReachable = true } }

  func events(after token: ResumeToken?) async throws -> AsyncThrowingStream<Data, any Error>? {
    let (body, pieces) = AsyncThrowingStream<Data, any Error>.makeStream()
    let isReachable = state.withLock { state in
      guard state.isReachable else { return false }
      state.connections.append(pieces)
      state.tokens.append(token)
      return true
    }
    guard isReachable else { throw URLError(.cannotConnectToHost) }
    let events = board.events(
      after: token, options: DeltaEventOptions(lifetime: nil), encoding: DeltaEncoding())
    let sending = Task {
      do {
        // Pieces of any size: what reads them puts them together.
        for try await bytes in events {
          for start in stride(from: 0, to: bytes.count, by: 7) {
            pieces.yield(Data(bytes[start..<min(start + 7, bytes.count)]))
          }
        }
        pieces.finish()
      } catch {
        pieces.finish(throwing: error)
      }
    }
    pieces.onTermination = { _ in sending.cancel() }
    return body
  }

  func answer(to proposal: Proposal<Chores>) async throws -> ProposalAnswer<Chores> {
    guard state.withLock({ $0.isReachable }) else { throw URLError(.cannotConnectToHost) }
    let text = try JSONEncoder().encode(proposal)
    let answer = try await board.answer(to: text, BoardRules.decide)
    return try JSONDecoder().decode(ProposalAnswer.self, from: answer)
  }
}
