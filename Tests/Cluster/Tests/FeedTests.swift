import Diffable
import DiffableSync
import Dispatch
import Testing

@testable import DiffableNATS

@Suite("A feed gives its readers what they do not know", .timeLimit(.minutes(5)))
struct FeedTests {
  @Test("What they know is asked outside of its lock, as their function is the user's")
  func asksOutside() async throws {
    let queue = DispatchQueue(label: "FeedTests")
    let feed = Feed(
      after: .start, of: Epoch(), PendingAppends(watch: queue, timeout: 1_000), queue: queue,
      places: KnownPlaces())
    let reader = Task {
      try await feed.page {
        // Takes the lock: if it were held here, this would never return.
        feed.hasEnded ? 1 : 0
      }
    }
    while feed.awaited == nil {
      try Task.checkCancellation()
      await Task.yield()
    }
    feed.end()
    #expect(try await reader.value == nil)
  }
}
