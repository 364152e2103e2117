import Diffable
import DiffableNATS
import DiffableSync
import Servers
import Testing

/// Which revisions messages make: with one entry and several, and of strangers.
@Suite(.timeLimit(.minutes(5)))
struct MessageFormatTests {
  /// A new list on a server of its own.
  private struct List {
    let cluster: Cluster
    let epoch: Epoch
    var entries: [LogEntry] = []
    var end: Int { entries.count }

    init(_ cluster: Cluster) async throws {
      self.cluster = cluster
      epoch = try await Self.log(cluster).epoch()
    }

    static func log(_ cluster: Cluster) throws -> NATSRevisionLog {
      try NATSRevisionLog(urls: cluster.urls, name: "list", options: .patient)
    }

    /// One more participant, which knows nothing.
    func log() throws -> NATSRevisionLog { try Self.log(cluster) }

    mutating func append(_ count: Int, through log: NATSRevisionLog? = nil) async throws {
      let group = (0..<count).map { LogContract.entry("\(end + $0)") }
      let log = try log ?? self.log()
      #expect(try await log.append(group, after: Revision(end)), "after \(end)")
      entries += group
    }

    /// A message without an entry makes a revision that changes nothing.
    mutating func appendAsAStranger(to subject: String = "entry") throws {
      try RawClient.publish("stranger", to: "list.log.\(subject)", of: cluster.servers[0])
      // Each stranger's message has a name of its own, the same for all.
      entries.append(LogEntry(id: WriteID(), delta: []))
    }

    func ask(_ subject: String, _ payload: String = "") throws {
      let answer = try RawClient.request("$JS.API." + subject, payload, to: cluster.servers[0])
      #expect(!answer.contains("\"error\""), "\(answer)")
    }

    /// Checks that participants that know nothing read the same from each revision on, and that they
    /// know where the log ends.
    func check(from first: Int = 0) async throws {
      var names: [WriteID]?
      for start in stride(from: end - 1, through: first, by: -1) {
        let found = try await LogContract.read(
          try log(), after: Revision(start), count: end - start)
        let expected = entries[start...]
        #expect(found.map(\.delta) == expected.map(\.delta), "after \(start)")
        for (one, other) in zip(found, expected) where !other.delta.isEmpty {
          #expect(one.id == other.id, "after \(start)")
        }
        #expect(names.map { Array(found.map(\.id).suffix($0.count)) == $0 } ?? true)
        names = found.map(\.id)
      }
      #expect(try await log().lastRevision() == Revision(end))
      for wrong in [0, end / 2, end - 1] where wrong != end {
        let entry = LogContract.entry("too late")
        #expect(try await log().append(entry, after: Revision(wrong)) == false)
      }
    }
  }

  @Test func `Messages of strangers count`() async throws {
    try await Cluster.with { cluster in
      var list = try await List(cluster)
      #expect(try await list.log().lastRevision() == .empty)
      for subject in ["entry", "epoch", "other"] { try list.appendAsAStranger(to: subject) }
      for size in [2, 1, 2] { try await list.append(size) }
      try list.appendAsAStranger()
      try await list.check()
      for size in [1, 2, 3, 1] {
        try await list.append(size)
        try list.appendAsAStranger()
      }
      try await list.check()
      // Whatever was dropped, in the middle of an append as well.
      for revision in [3, 8, 12] {
        let state = LogContract.state(revision, bytes: 10)
        try await list.log().store(state, droppingEntriesThrough: Revision(revision))
        try await list.check(from: revision)
      }
      try await list.append(2)
      try await list.check(from: 12)
    }
  }

  @Test func `Strangers cannot make up entries`() async throws {
    try await Cluster.with { cluster in
      var list = try await List(cluster)
      let good = "\(WriteID()) 6 - 1\nchangex"
      for (headers, payload) in [
        (["Diffable-Base": "-1"], good), (["Diffable-Base": "\(Int.max)"], good),
        (["Diffable-Base": "x"], good), (["Diffable-Base": "0", "Diffable-Epoch": "x"], good),
        (["Diffable-Base": "0"], ""), (["Diffable-Base": "0"], "\(WriteID()) 6 - 2\nchangex"),
        (["Diffable-Base": "0"], "\(WriteID()) -6 - 1\nchangex"),
        (["Diffable-Base": "0"], "\(WriteID()) 6 \(Int.max) 1\nchangex"),
        (["Diffable-Base": "0"], "\(WriteID()) 5 - 1\nchangx"),
        (["Diffable-Base": "0"], good + "\n"), (["Diffable-Base": "0"], "x 6 - 1\nchangex"),
        (["Nats-Msg-Id": "x"], "x"), (["Nats-Msg-Id": "\(WriteID())"], ""),
      ] as [([String: String], String)] {
        try RawClient.publish(
          payload, headers: headers, to: "list.log.entry", of: cluster.servers[0])
        list.entries.append(LogEntry(id: WriteID(), delta: []))
      }
      try await list.append(3)
      try await list.check()
    }
  }

  /// Nothing tells which revision the end of the stream is, but the stored state.
  @Test func `After a purge the stored state says where the log ends`() async throws {
    try await Cluster.with { cluster in
      var list = try await List(cluster)
      for size in [3, 1, 4] { try await list.append(size) }
      let state = LogContract.state(8, bytes: 10)
      try await list.log().store(state, droppingEntriesThrough: .empty)
      try list.ask("STREAM.PURGE.list")
      let log = try list.log()
      #expect(try await log.lastRevision() == nil)
      #expect(try await log.entries(after: Revision(3)) == .cut)
      await #expect(throws: RevisionLogError.self) {
        try await log.append(LogContract.entry("lost"), after: Revision(8))
      }
      #expect(try await log.newestState() == state)
      #expect(try await log.isComplete())
      #expect(try await log.lastRevision() == Revision(8))
      for size in [2, 1] { try await list.append(size, through: log) }
      try list.appendAsAStranger()
      try await list.check(from: 8)
      // An older state leads nowhere.
      try await list.log().store(LogContract.state(5, bytes: 10), droppingEntriesThrough: .empty)
      #expect(try await list.log().newestState() == state)
    }
  }

  /// A stored state says where its reader goes on, and anybody may write it.
  @Test func `A manifest whose numbers cannot be does not count`() async throws {
    try await Cluster.with { cluster in
      var list = try await List(cluster)
      for size in [2, 3] { try await list.append(size) }
      let state = LogContract.state(2, bytes: 3)
      try await list.log().store(state, droppingEntriesThrough: .empty)
      let checksum = "xyz".utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
      let numbers =
        [Int.min, -.max, -1, 0, 1 << 62, .max].map { "\($0)" } + ["\(UInt64.max)", "x"]
      let good = [
        "Diffable-Revision": "5", "Diffable-Bytes": "3", "Diffable-Checksum": "\(checksum)",
        "Diffable-Sequence": "3", "Diffable-Base": "5",
      ]
      try RawClient.publish("xyz", to: "list.pieces.\(list.epoch)", of: cluster.servers[0])
      for header in good.keys.sorted() {
        for number in numbers {
          var headers = good
          headers[header] = number
          headers["Diffable-Manifest"] = Self.covering(headers, pieces: "2")
          // The older one stays beside it.
          try RawClient.publish(
            "2", headers: headers, to: "list.state.\(list.epoch)", of: cluster.servers[0])
          let found = try await list.log().newestState()
          #expect(found == nil || found == state, "\(header): \(number)")
          #expect(try await list.log().lastRevision() == Revision(5), "\(header): \(number)")
          try await list.check()
        }
      }
      // It does not keep others out.
      let next = LogContract.state(4, bytes: 4)
      try await list.log().store(next, droppingEntriesThrough: .empty)
      #expect(try await list.log().newestState() == next)
      // Without a checksum over its numbers it is none, and with a wrong one.
      let whole = StoredState(revision: Revision(5), reset: Array("xyz".utf8))
      for wrong in [nil, "1"] as [String?] {
        for isRight in [true, false] {
          try RawClient.publish("xyz", to: "list.pieces.\(list.epoch)", of: cluster.servers[0])
          let piece = try #require(try Self.lastPiece(of: cluster))
          var headers = good
          headers["Diffable-Manifest"] = isRight ? Self.covering(good, pieces: piece) : wrong
          try RawClient.publish(
            piece, headers: headers, to: "list.state.\(list.epoch)", of: cluster.servers[0])
          // The older one of the two, which is whole, is used.
          #expect(try await list.log().newestState() == whole)
          #expect(try await Self.warnings(of: list).isEmpty == isRight)
        }
      }
    }
  }

  /// The checksum over the numbers of a manifest and its pieces.
  private static func covering(_ headers: [String: String], pieces: String) -> String {
    let numbers = ["Revision", "Sequence", "Base", "Bytes", "Checksum"]
      .map { headers["Diffable-\($0)"] ?? "" }
    var sum = 0xCBF2_9CE4_8422_2325 as UInt64
    for text in [numbers.joined(separator: " "), pieces] {
      let size = (0..<8).map { UInt8(truncatingIfNeeded: text.utf8.count >> ($0 * 8)) }
      for byte in size + Array(text.utf8) { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return "\(sum)"
  }

  /// The number of the last piece of a state.
  private static func lastPiece(of cluster: Cluster) throws -> String? {
    let answer = try RawClient.request(
      "$JS.API.STREAM.INFO.list-pieces", "", to: cluster.servers[0])
    return answer.split(separator: "\"last_seq\":").dropFirst().first.map {
      String($0.prefix { $0.isNumber })
    }
  }

  /// What a log says that reads the newest state.
  private static func warnings(of list: List) async throws -> [RevisionLogWarning] {
    let log = try list.log()
    _ = try await log.newestState()
    return log.takeWarnings()
  }
}
