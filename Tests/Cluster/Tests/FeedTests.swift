import Diffable
import DiffableSync
import Dispatch
import Synchronization
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

  @Test(
    "The servers are told to send nothing more once it is full or has missed a message",
    arguments: [2...3, 4...4])
  func stops(_ sequences: ClosedRange<UInt64>) throws {
    let queue = DispatchQueue(label: "FeedTests")
    let feed = Feed(
      after: .start, of: Epoch(), PendingAppends(watch: queue, timeout: 1_000), queue: queue,
      places: KnownPlaces())
    let ended = Mutex(0)
    func keep() throws {
      let pointer = try #require(OpaquePointer(bitPattern: 1))
      feed.keep(Handle(pointer, endingOn: queue) { _ in ended.withLock { $0 += 1 } })
    }
    try keep()
    for sequence in sequences {
      queue.sync {}
      #expect(ended.withLock { $0 } == 0)
      let entry = LogEntry(id: WriteID(), delta: [0])
      feed.receive(Array(repeating: entry, count: FeedBuffer.limit.entries / 2), sequence)
    }
    queue.sync {}
    #expect(feed.hasEnded && ended.withLock { $0 } == 1)
    // One that has just begun is not kept, either.
    try keep()
    queue.sync {}
    #expect(ended.withLock { $0 } == 2)
  }
}
