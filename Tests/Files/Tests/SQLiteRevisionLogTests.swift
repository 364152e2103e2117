import Diffable
import DiffableSQLite
import DiffableSync
import DiffableTesting
import Testing

/// A log in a file keeps the laws of logs.
@Suite(.timeLimit(.minutes(5)))
struct SQLiteRevisionLogTests {
  @Test(arguments: RevisionLogLaw.allCases)
  func `Participants in one process that share a file`(_ law: RevisionLogLaw) async throws {
    let folder = try Folder()
    let file = try await folder.open()
    try await law.check { file.log("list") }
  }

  /// As in several processes: nothing but the file is shared.
  @Test(arguments: RevisionLogLaw.allCases)
  func `Participants that open the file themselves`(_ law: RevisionLogLaw) async throws {
    let folder = try Folder()
    var files: [SQLiteFile] = []
    for _ in 0..<16 { files.append(try await folder.open()) }
    let others = Files(files)
    try await law.check { others.next().log("list") }
  }

  @Test func `Lists of a file do not see each other`() async throws {
    let folder = try Folder()
    let file = try await folder.open()
    var epochs: Set<Epoch> = []
    let names = ["one", "", "ünë\0 'two'", "three"]
    for (number, name) in names.enumerated() {
      let log = file.log(name)
      epochs.insert(try await log.epoch())
      for revision in 0..<number * 2 {
        #expect(try await log.append(.text("\(name) \(revision)"), after: Revision(revision)))
      }
      let state = StoredState(revision: Revision(number), reset: Array(name.utf8))
      try await log.store(state, droppingEntriesThrough: Revision(number / 2))
    }
    #expect(epochs.count == 4)
    #expect(try await file.names() == names.sorted())
    for reader in [file, try await folder.open()] {
      for (number, name) in names.enumerated() where number > 0 {
        let log = reader.log(name)
        #expect(try await log.lastRevision() == Revision(number * 2))
        #expect(try await log.newestState()?.reset == Array(name.utf8))
        let dropped = number / 2
        let expected = (dropped..<number * 2).map { Array("\(name) \($0)".utf8) }
        guard case .entries(let entries, _) = try await log.entries(after: Revision(dropped)) else {
          Issue.record("The log was cut.")
          continue
        }
        #expect(entries.map(\.delta) == expected)
      }
    }
  }

  @Test func `Lists that are made while others ask for their names`() async throws {
    let folder = try Folder()
    let count = Scope.rounds(50, long: 300)
    let file = try await folder.open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          let other = try await folder.open()
          var names: [String] = []
          while names.count < count {
            names = try await other.names()
            // Whoever sees a list sees those that were made before.
            #expect(names == (0..<names.count).map { "\(1_000_000 + $0)" })
          }
        }
      }
      group.addTask {
        for number in 0..<count { _ = try await file.log("\(1_000_000 + number)").epoch() }
      }
      try await group.waitForAll()
    }
  }

  @Test(arguments: [Duration.seconds(-1), .zero, .milliseconds(5), .seconds(Int64.max)])
  func `A reader hears of what is written, however often it looks`(
    _ interval: Duration
  ) async throws {
    let folder = try Folder()
    var options = SQLiteFile.Options()
    (options.synchronous, options.lookInterval) = (.normal, interval)
    let file = try await SQLiteFile(path: folder.file(), options: options)
    let reader = file.log("list")
    // Who never looks hears only of what is written through the same file.
    let other = interval < .seconds(60) ? try await folder.open() : file
    let writer = other.log("list")
    for revision in 0..<20 {
      async let page = reader.entries(after: Revision(revision))
      let entry = LogEntry.text("\(revision)")
      #expect(try await writer.append(entry, after: Revision(revision)))
      #expect(try await page == .entries([entry], after: Revision(revision)))
    }
  }

  @Test func `The file shrinks when entries are dropped`() async throws {
    let folder = try Folder()
    let file = try await folder.open()
    let log = file.log("list")
    for revision in 0..<400 {
      let entry = LogEntry(id: WriteID(), delta: Array(repeating: 7, count: 10_000))
      #expect(try await log.append(entry, after: Revision(revision)))
    }
    let full = folder.size("list")
    for revision in [200, 400] {
      let state = StoredState(revision: Revision(revision), reset: [1])
      try await log.store(state, droppingEntriesThrough: Revision(revision))
    }
    // The log of the file is written back a page at a time, so the end of the file goes last.
    for revision in 400..<404 {
      #expect(try await log.append(.text("small"), after: Revision(revision)))
    }
    try await log.store(
      StoredState(revision: Revision(404), reset: [2]), droppingEntriesThrough: Revision(404))
    #expect(full > 3_000_000)
    #expect(folder.size("list") < 100_000)
    #expect(folder.size("list-wal") <= 5_000_000)
  }
}

/// Files that are handed out in turn.
private final class Files: Sendable {
  private let files: [SQLiteFile]
  private let count = Counter()

  init(_ files: [SQLiteFile]) {
    self.files = files
  }

  func next() -> SQLiteFile { files[count.next() % files.count] }
}
