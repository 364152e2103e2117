import Diffable
import DiffableNATS
import DiffableSync
import Foundation
import Servers
import SharedNumbers

/// Prints what a shared list costs beside plain publishing, on one server of this machine.
///
/// Arguments choose some of `throughput`, `shared`, `latency` and `catching-up`.
@main struct Figures {
  static func main() async throws {
    let chosen = CommandLine.arguments.dropFirst()
    func isChosen(_ name: String) -> Bool { chosen.isEmpty || chosen.contains(name) }
    try await Cluster.with { cluster in
      if isChosen("throughput") {
        for writers in [1, 4, 16] { try await throughput(cluster, writers) }
      }
      if isChosen("shared") { try await sharedAppends(cluster) }
      if isChosen("latency") { try await latency(cluster) }
      if isChosen("catching-up") { try await catchingUp(cluster) }
    }
  }

  private static func log(_ cluster: Cluster, _ name: String) throws -> NATSRevisionLog {
    try NATSRevisionLog(urls: cluster.urls, name: name)
  }

  private static func entry(_ number: Int) -> LogEntry {
    LogEntry(id: WriteID(), delta: Array(repeating: UInt8(ascii: "x"), count: 300))
  }

  /// The seconds that a function takes.
  private static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return start.duration(to: .now) / .seconds(1)
  }

  /// Writers of one list, beside as many publishers that wait for each acknowledgment, each with a
  /// stream of its own.
  private static func throughput(_ cluster: Cluster, _ writers: Int) async throws {
    let each = 4_000 / writers
    let rate = try await writes(cluster, "list-\(writers)", writers, 1, each: each)
    let bare = try await messages(cluster, "plain-\(writers)", writers, each: each)
    print(
      "writes a second by \(writers): \(Int(rate)), publishing \(Int(bare)), "
        + String(format: "ratio %.2f", rate / bare))
  }

  /// Writers of one participant, which share appends, beside one writer and as many publishers; and
  /// those of sixteen participants beside those of one.
  ///
  /// They take turns, each with a list or streams of its own.
  private static func sharedAppends(_ cluster: Cluster) async throws {
    var (one, many, plain) = ([Double](), [Double](), [Double]())
    var (alone, all) = ([Double](), [Double]())
    for round in 0..<5 {
      one.append(try await writes(cluster, "one-\(round)", 1, 1, each: 2_000))
      many.append(try await writes(cluster, "many-\(round)", 1, 64, each: 150))
      plain.append(try await messages(cluster, "publisher-\(round)", 64, each: 150))
      alone.append(try await writes(cluster, "alone-\(round)", 1, 16, each: 400))
      all.append(try await writes(cluster, "all-\(round)", 16, 16, each: 25))
    }
    func print(_ what: String, _ ours: [Double], _ other: [Double]) {
      let ratios = zip(ours, other).map { $0 / $1 }.sorted()
      Swift.print(
        "\(what): \(Int(ours.sorted()[2])) ÷ \(Int(other.sorted()[2])) a second, "
          + String(format: "ratio %.2f (%.2f … %.2f)", ratios[2], ratios[0], ratios[4]))
    }
    print("64 writers ÷ one", many, one)
    print("64 writers ÷ 64 publishers", many, plain)
    print("16 participants with 16 writers ÷ one with 16", all, alone)
  }

  /// The number of writes a second that writers of one list make.
  private static func writes(
    _ cluster: Cluster, _ name: String, _ participants: Int, _ writers: Int, each: Int
  ) async throws -> Double {
    let lists = try await (0..<participants).asyncMap { _ in
      try await SharedNumbers.open(try log(cluster, name), revisionsPerState: .max)
    }
    let time = try await seconds {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<participants * writers {
          group.addTask {
            let list = lists[number % participants]
            for write in 0..<each { try await list.add(number * 1_000_000 + write) }
          }
        }
        try await group.waitForAll()
      }
    }
    for list in lists { await list.finish() }
    return Double(participants * writers * each) / time
  }

  /// The number of messages a second of publishers that wait for each acknowledgment, each with a stream
  /// of its own.
  private static func messages(
    _ cluster: Cluster, _ name: String, _ publishers: Int, each: Int
  ) async throws -> Double {
    let logs = try await (0..<publishers).asyncMap { number in
      let log = try log(cluster, "\(name)-\(number)")
      _ = try await log.epoch()
      return log
    }
    let time = try await seconds {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for log in logs {
          group.addTask {
            for write in 0..<each { _ = try await log.append(entry(write), after: Revision(write)) }
          }
        }
        try await group.waitForAll()
      }
    }
    return Double(publishers * each) / time
  }

  /// One write after another, beside one acknowledged message after another, in turns.
  private static func latency(_ cluster: Cluster) async throws {
    let list = try await SharedNumbers.open(try log(cluster, "latency"), revisionsPerState: .max)
    let plain = try log(cluster, "plain")
    var (ours, bare, number) = ([Double](), [Double](), 0)
    for _ in 0..<20 {
      ours.append(
        try await seconds {
          for _ in 0..<100 {
            try await list.add(number)
            number += 1
          }
        })
      bare.append(
        try await seconds {
          for write in number - 100..<number {
            _ = try await plain.append(entry(write), after: Revision(write))
          }
        })
    }
    let (write, publish) = (ours.sorted()[10], bare.sorted()[10])
    print(
      String(
        format: "a write %.0f µs, an acknowledged message %.0f µs, ratio %.2f", write * 10_000,
        publish * 10_000, write / publish))
  }

  /// A participant that starts with 10,000 revisions to catch up with, beside a reader of as many
  /// messages: with states as they are stored by default, and without any.
  private static func catchingUp(_ cluster: Cluster) async throws {
    // The last state is as old as it gets.
    let stored = ReplicationOptions().revisionsPerState
    for (name, perState, count) in [
      ("stored", stored, 10_000 + stored - 1), ("unstored", .max, 10_000),
    ] {
      let writer = try await SharedNumbers.open(try log(cluster, name), revisionsPerState: perState)
      for number in 0..<count { try await writer.add(number) }
      let plain = try log(cluster, "plain-\(name)")
      for write in 0..<count { _ = try await plain.append(entry(write), after: Revision(write)) }
      var (ours, bare) = ([Double](), [Double]())
      for _ in 0..<5 {
        ours.append(
          try await seconds {
            let list = try await SharedNumbers.open(try log(cluster, name))
            try await list.reached(Revision(count))
          })
        bare.append(try await seconds { try await read(try log(cluster, "plain-\(name)"), count) })
      }
      let (caughtUp, wasRead) = (ours.sorted()[2], bare.sorted()[2])
      print(
        String(
          format: "catching up \(count) revisions, \(name): %.0f ms, reading %.0f ms, ratio %.2f",
          caughtUp * 1_000, wasRead * 1_000, caughtUp / wasRead))
    }
  }

  /// Reads the entries of a log.
  private static func read(_ log: NATSRevisionLog, _ count: Int) async throws {
    var last = 0
    while last < count {
      guard case .entries(let page, let base) = try await log.entries(after: Revision(last)) else {
        return
      }
      last = base.number + page.count
    }
  }
}

extension Sequence {
  fileprivate func asyncMap<Result>(
    _ transform: (Element) async throws -> Result
  ) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
