import Diffable
import DiffableQueries
import DiffableTesting

/// A subscriber of a derived source with trees, which knows nothing but its batches.
struct TreeFollower {
  typealias Source = TreeProgramRun.Derived

  /// What has come from a task that waits for batches all the time.
  private actor Inbox {
    var state = State()

    func take(_ batch: Source.Batch) { state.take(batch) }
  }

  private struct State: Sendable {
    var shown = Snapshot<Int, Int>()
    var revision: Revision?
    var failure: String?

    mutating func take(_ batch: Source.Batch) {
      if let previous = batch.previousSnapshot, previous != shown {
        failure = failure ?? "\(batch) starts elsewhere than at \(shown)"
      }
      (shown, revision) = (batch.snapshot, batch.target)
    }
  }

  private var batches: AsyncStream<Source.Batch>.Iterator?
  private var state = State()
  private let inbox = Inbox()

  init(_ source: Source, isWaiting: Bool) {
    let stream = source.updates()
    guard isWaiting else {
      batches = stream.makeAsyncIterator()
      return
    }
    Task { [inbox] in
      for await batch in stream { await inbox.take(batch) }
    }
  }

  /// Takes batches until the newest state is there, and returns it.
  mutating func follow(_ source: Source) async throws -> Snapshot<Int, Int> {
    while true {
      let newest = await source.revision
      if batches == nil { state = await inbox.state }
      if let failure = state.failure { throw TreeProgramRun.Failure(description: failure) }
      if state.revision == newest { return state.shown }
      guard batches != nil else {
        await Task.yield()
        continue
      }
      guard let batch = await batches?.next() else {
        throw TreeProgramRun.Failure(description: "the stream has ended")
      }
      state.take(batch)
    }
  }
}
