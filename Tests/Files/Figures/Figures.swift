import Diffable
import DiffableSQLite
import DiffableSync
import Foundation
import Numbers
import RawSQLite

/// Prints what a list in a file costs beside plain inserts, each in a transaction of its own.
///
/// All with `synchronous=FULL`, in the folder that the argument names. The rounds alternate, since the
/// disk belongs to others as well.
@main struct Figures {
  static let writes = 1_000

  static func main() async throws {
    let folder = CommandLine.arguments.dropFirst().first ?? "."
    var (bare, one, many): ([Double], [Double], [Double]) = ([], [], [])
    for round in 0..<5 {
      let path = "\(folder)/figures-\(round)"
      defer {
        for name in ["bare", "list"] {
          for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: "\(path)-\(name)\(end)")
          }
        }
      }
      bare.append(try inserts("\(path)-bare"))
      let list = try await Numbers.open(
        SQLiteFile(path: "\(path)-list").log("list"), options)
      one.append(try await writing(list, writers: 1, first: 0))
      many.append(try await writing(list, writers: 64, first: 1_000_000))
      await list.finish()
    }
    let sleeping = Task.detached { Self.sleep() }
    let waking = try await waking("\(folder)/figures-waking")
    sleeping.cancel()
    let sleeps = await sleeping.value
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    let (insert, write, shared) = (median(bare), median(one), median(many))
    func line(_ text: String, _ value: Double) {
      print(String(format: "%10.2f", value), text)
    }
    line("insert, microseconds", insert * 1e6)
    line("one writer, microseconds a write", write * 1e6)
    line("64 writers, microseconds a write", shared * 1e6)
    line("one writer / insert", write / insert)
    line("one writer / 64 writers", write / shared)
    line("another process hears of a write, milliseconds, median", median(waking) * 1e3)
    line("the longest of \(waking.count)", (waking.max() ?? 0) * 1e3)
    line("the longest of \(sleeps.count) sleeps of 10 milliseconds", (sleeps.max() ?? 0) * 1e3)
    for (name, seconds) in [("of them", waking), ("of the sleeps", sleeps)] {
      line("\(name), percent longer than 20", 100 * share(of: seconds, over: 0.02))
    }
  }

  private static func share(of seconds: [Double], over limit: Double) -> Double {
    Double(seconds.count { $0 > limit }) / Double(max(1, seconds.count))
  }

  /// The seconds that a thread sleeps which wants to sleep 10 milliseconds, until the task is cancelled.
  ///
  /// What the machine adds to them it adds to all else that waits.
  private static func sleep() -> [Double] {
    var seconds: [Double] = []
    while !Task.isCancelled {
      let start = ContinuousClock.now
      usleep(10_000)
      seconds.append(start.duration(to: .now) / .seconds(1))
    }
    return seconds
  }

  /// The seconds from the end of a write until a reader with nothing but the file in common has it.
  private static func waking(_ path: String) async throws -> [Double] {
    defer {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    let writer = try await SQLiteFile(path: path).log("list")
    let reader = try await SQLiteFile(path: path).log("list")
    _ = try await writer.epoch()
    var seconds: [Double] = []
    for revision in 0..<500 {
      let reading = Task {
        _ = try await reader.entries(after: Revision(revision))
        return ContinuousClock.now
      }
      try await Task.sleep(for: .milliseconds(Int.random(in: 20...40)))
      let entry = LogEntry(id: WriteID(), delta: Array(repeating: 1, count: 300))
      _ = try await writer.append([entry], after: Revision(revision))
      let written = ContinuousClock.now
      seconds.append(written.duration(to: try await reading.value) / .seconds(1))
    }
    return seconds
  }

  private static var options: ReplicationOptions {
    var options = ReplicationOptions()
    options.revisionsPerState = .max
    return options
  }

  /// The seconds that a write takes.
  private static func writing(
    _ list: Numbers, writers: Int, first: Int
  ) async throws -> Double {
    let each = max(20, writes / writers)
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        group.addTask {
          for write in 0..<each { try await list.add(first + writer * each + write) }
        }
      }
      try await group.waitForAll()
    }
    return start.duration(to: .now) / .seconds(1) / Double(each * writers)
  }

  /// The seconds that an insert of a row of about the same size takes.
  private static func inserts(_ path: String) throws -> Double {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(database)
    }
    guard sqlite3_open(path, &database) == SQLITE_OK,
      sqlite3_exec(
        database,
        """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
        CREATE TABLE t (k INTEGER PRIMARY KEY, d BLOB)
        """, nil, nil, nil) == SQLITE_OK,
      sqlite3_prepare_v2(
        database, "INSERT INTO t (d) VALUES (randomblob(300))", -1, &statement, nil) == SQLITE_OK
    else { throw CocoaError(.fileWriteUnknown) }
    let start = ContinuousClock.now
    for _ in 0..<writes {
      guard sqlite3_step(statement) == SQLITE_DONE else { throw CocoaError(.fileWriteUnknown) }
      sqlite3_reset(statement)
    }
    return start.duration(to: .now) / .seconds(1) / Double(writes)
  }
}
