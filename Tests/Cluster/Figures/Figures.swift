import Diffable
import DiffableNATS
import Foundation
import Servers
import SharedNumbers

/// Prints what a shared list costs beside plain publishing, on one server of this machine.
@main struct Figures {
  static func main() async throws {
    try await Cluster.with { cluster in
      for writers in [1, 4, 16] { try await throughput(cluster, writers) }
      try await latency(cluster)
      try await catchingUp(cluster)
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
    let lists = try await (0..<writers).asyncMap { _ in
      try await SharedNumbers.open(try log(cluster, "list-\(writers)"), revisionsPerState: .max)
    }
    let ours = try await seconds {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, list) in lists.enumerated() {
          group.addTask {
            for write in 0..<each { try await list.add(number * 1_000_000 + write) }
          }
        }
        try await group.waitForAll()
      }
    }
    let logs = try await (0..<writers).asyncMap { number in
      let log = try log(cluster, "plain-\(writers)-\(number)")
      _ = try await log.epoch()
      return log
    }
    let plain = try await seconds {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for log in logs {
          group.addTask {
            for write in 0..<each { _ = try await log.append(entry(write), after: Revision(write)) }
          }
        }
        try await group.waitForAll()
      }
    }
    let (rate, bare) = (Double(each * writers) / ours, Double(each * writers) / plain)
    print(
      "writes a second by \(writers): \(Int(rate)), publishing \(Int(bare)), "
        + String(format: "ratio %.2f", rate / bare))
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

  /// A participant that starts with 10,000 revisions to read, beside a reader of as many messages.
  private static func catchingUp(_ cluster: Cluster) async throws {
    let count = 10_000
    let writer = try await SharedNumbers.open(try log(cluster, "long"), revisionsPerState: .max)
    for number in 0..<count { try await writer.add(number) }
    var (ours, bare) = ([Double](), [Double]())
    for _ in 0..<5 {
      ours.append(
        try await seconds {
          let list = try await SharedNumbers.open(try log(cluster, "long"))
          try await list.waitFor(Revision(count))
        })
      bare.append(
        try await seconds {
          let log = try log(cluster, "long")
          var last = 0
          while last < count {
            guard case .entries(let page) = try await log.entries(after: Revision(last)) else {
              return
            }
            last += page.count
          }
        })
    }
    print(
      String(
        format: "catching up 10,000 revisions %.0f ms, reading them %.0f ms, ratio %.2f",
        ours.sorted()[2] * 1_000, bare.sorted()[2] * 1_000, ours.sorted()[2] / bare.sorted()[2]))
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
