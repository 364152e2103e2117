import Diffable
import DiffableNATS
import Servers
import Testing

extension NATSRevisionLog.Options {
  /// For tests that are not about time, on machines that do other things, too.
  static var patient: NATSRevisionLog.Options {
    var options = NATSRevisionLog.Options()
    options.timeout = .seconds(20)
    return options
  }
}

/// A log on one server keeps the contract of logs.
@Suite(.timeLimit(.minutes(5)))
struct NATSRevisionLogTests {
  private func withLogs(
    _ settings: String = "", _ body: (@escaping LogContract.MakeLog) async throws -> Void
  ) async throws {
    try await Cluster.with(settings: settings) { cluster in
      let urls = cluster.urls
      try await body { try NATSRevisionLog(urls: urls, name: "list", options: .patient) }
    }
  }

  @Test func `Participants agree on the epoch`() async throws {
    try await withLogs { try await LogContract.participantsAgreeOnTheEpoch($0) }
  }

  @Test func `One of many writers makes each revision`() async throws {
    try await withLogs {
      try await LogContract.oneOfManyMakesEachRevision($0, writers: 6, revisions: 100)
    }
  }

  @Test func `An entry is appended once, however often it is sent`() async throws {
    try await withLogs { try await LogContract.anEntryIsAppendedOnce($0) }
  }

  @Test func `Pages have no gap`() async throws {
    try await withLogs { try await LogContract.pagesHaveNoGap($0, count: 2000) }
  }

  @Test func `A reader who waits is woken by an entry`() async throws {
    try await withLogs { try await LogContract.aReaderIsWokenByAnEntry($0) }
  }

  @Test func `A reader may know entries before they come back`() async throws {
    try await withLogs { try await LogContract.aReaderMayKnowEntries($0) }
  }

  @Test func `A cancelled task ends`() async throws {
    try await withLogs { try await LogContract.aCancelledTaskEnds($0) }
  }

  @Test func `The newest state counts, whatever its size`() async throws {
    try await withLogs {
      try await LogContract.theNewestStateCounts($0, bytes: [0, 1, 5_000_000, 1 << 19, 70_000])
    }
  }

  @Test func `States may be larger than messages are allowed to be`() async throws {
    try await withLogs("max_payload: 2KB") {
      try await LogContract.theNewestStateCounts($0, bytes: [300_000, 1024])
    }
  }

  @Test func `Dropped entries are cut`() async throws {
    try await withLogs { try await LogContract.droppedEntriesAreCut($0) }
  }

  @Test func `States are stored at once`() async throws {
    try await withLogs {
      try await LogContract.statesStoredAtOnce($0, writers: 6, bytes: 1_200_000)
    }
  }
}
