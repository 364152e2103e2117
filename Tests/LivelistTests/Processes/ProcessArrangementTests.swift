import Diffable
import Testing

@testable import livelist

extension ProcessID {
  /// A process of a test: its number says all.
  init(_ number: Int32) {
    self.init(number: number, start: 1)
  }
}

/// The records of a test.
func records(
  _ processes: [(number: Int32, user: String, permille: Int, memory: Int)]
) -> [ProcessID: ProcessRecord] {
  Dictionary(
    uniqueKeysWithValues: processes.map { process in
      let id = ProcessID(process.number)
      let listed = ListedProcess(id: id, user: process.user, command: "program-\(process.number)")
      return (
        id, ProcessRecord(listed: listed, permille: process.permille, memory: process.memory)
      )
    })
}

@Suite("Arrangement of processes") struct ProcessArrangementTests {
  private let known = records([
    (4, "root", 0, 10), (3, "ann", 200, 30), (2, "ann", 900, 20), (1, "ann", 200, 40),
  ])

  private func picture(_ snapshot: ProcessSnapshot) -> String {
    snapshot.sectionIdentifiers.map { section in
      let numbers = snapshot.items(inSection: section).map { "\($0.number)" }
      return "\(section)[\(numbers.joined(separator: " "))]"
    }
    .joined(separator: " ")
  }

  @Test(
    "Sections are users by name, rows go by what is asked for, equals by number",
    arguments: [
      (ProcessOrder.cpu, .users, "ann[2 1 3] root[4]"),
      (.memory, .users, "ann[1 3 2] root[4]"),
      (.pid, .users, "ann[1 2 3] root[4]"),
      (.cpu, .flat, "all users[2 1 3 4]"),
    ] as [(ProcessOrder, ProcessArrangement.Grouping, String)])
  func order(
    _ order: ProcessOrder, _ grouping: ProcessArrangement.Grouping, _ expected: String
  ) throws {
    var snapshot = ProcessSnapshot()
    try ProcessArrangement(order: order, grouping: grouping).list(known, in: &snapshot)
    #expect(picture(snapshot) == expected)
  }

  @Test("Rearranging moves rows, marks what changed, and neither adds nor removes any")
  func rearrange() throws {
    let arrangement = ProcessArrangement(order: .cpu, grouping: .users)
    var snapshot = ProcessSnapshot()
    try arrangement.list(known, in: &snapshot)
    // 9 is known to this writer and not listed yet; 4 is listed and not known to it any more.
    let newer = records([
      (9, "zoe", 999, 0), (3, "ann", 950, 30), (2, "ann", 900, 20), (1, "ann", 0, 40),
    ])
    try arrangement.rearrange(&snapshot, by: newer, changed: [ProcessID(9), ProcessID(1)])
    #expect(picture(snapshot) == "ann[3 2 1] root[4]")
    #expect(snapshot.reconfiguredItemIdentifiers == [ProcessID(1)])
  }

  @Test("A row that the user has put behind another one stays there, while that is there")
  func pins() {
    var arrangement = ProcessArrangement(order: .cpu, grouping: .users)
    func sorted() -> [Int32] { arrangement.sorted(known.keys, by: known).map(\.number) }
    #expect(sorted() == [2, 1, 3, 4])
    arrangement.pin(ProcessID(4), behind: ProcessID(2))
    #expect(sorted() == [2, 4, 1, 3])
    arrangement.pin(ProcessID(3), behind: nil)
    arrangement.pin(ProcessID(2), behind: ProcessID(1))
    #expect(sorted() == [3, 1, 2, 4])
    // Behind something that is not there; each behind the other; and put somewhere else again.
    arrangement.pin(ProcessID(3), behind: ProcessID(9))
    #expect(sorted() == [1, 2, 4, 3])
    arrangement.pin(ProcessID(1), behind: ProcessID(2))
    #expect(Set(sorted()) == [1, 2, 3, 4])
    arrangement.pin(ProcessID(4), behind: nil)
    #expect(sorted().first == 4)
  }

  @Test("Processor time is a share of the time between two looks")
  func share() {
    let start = ContinuousClock.now
    var (first, second) = (ProcessorSample(), ProcessorSample())
    first.times = [
      ProcessID(1): (.seconds(10), start), ProcessID(2): (.seconds(1), start),
      ProcessID(4): (.seconds(5), start), ProcessID(5): (.seconds(1), start),
    ]
    second.times = [
      ProcessID(1): (.seconds(11), start + .seconds(2)),
      ProcessID(2): (.seconds(9), start + .seconds(4)),
      ProcessID(3): (.seconds(9), start + .seconds(4)),
      // A clock that runs backwards, and no time at all.
      ProcessID(4): (.seconds(4), start + .seconds(1)),
      ProcessID(5): (.seconds(2), start),
    ]
    #expect(
      second.permille(since: first) == [ProcessID(1): 500, ProcessID(2): 2000, ProcessID(4): 0])
  }

  @Test("The table says which rows look different")
  func table() async throws {
    let table = ProcessTable(
      source: ProcessSource(),
      arrangement: ProcessArrangement(order: .cpu, grouping: .users))
    func listed(_ number: Int32, _ command: String) -> ListedProcess {
      ListedProcess(id: ProcessID(number), user: "ann", command: command)
    }
    #expect(await table.setProcesses([listed(1, "a"), listed(2, "b")]) == [])
    #expect(await table.setPermille([ProcessID(1): 5, ProcessID(2): 0]) == [ProcessID(1)])
    #expect(await table.setPermille([ProcessID(1): 5]) == [])
    let memory = MachineMemory(total: 2, used: 1)
    #expect(await table.setMemory([ProcessID(3): 7], machine: memory) == [])
    #expect(await table.setProcesses([listed(1, "c")]) == [ProcessID(1)])
    let contents = await table.contents
    #expect(contents.machineMemory == memory)
    #expect(
      contents.records == [
        ProcessID(1): ProcessRecord(listed: listed(1, "c"), permille: 5, memory: 0)
      ])
  }
}

@Suite("Writers of processes") struct ProcessWritersTests {
  /// A machine of a test: what it answers is set beforehand.
  private struct FixedReader: ProcessReader {
    var listed: [ListedProcess]
    var times: [ProcessID: Duration] = [:]
    var memory: [ProcessID: Int] = [:]

    mutating func processes() -> [ListedProcess] { listed }
    mutating func processorTime(of process: ProcessID) -> Duration? { times[process] }
    mutating func residentMemory(of process: ProcessID) -> Int? { memory[process] }
    mutating func machineMemory() -> MachineMemory? { nil }
  }

  @Test("each change what they know, and what they know shows in the next batch")
  func batches() async throws {
    let listed = [1, 2, 3].map {
      ListedProcess(id: ProcessID($0), user: "ann", command: "program-\($0)")
    }
    let source = ProcessSource()
    let table = ProcessTable(
      source: source, arrangement: ProcessArrangement(order: .memory, grouping: .users))
    var reader = FixedReader(listed: listed)
    var listing = ListingWriter(reader: reader, table: table)
    try await listing.look()
    var batches = source.updates().makeAsyncIterator()
    let first = try #require(await batches.next())
    #expect(first.base == nil)
    #expect(first.snapshot.itemIdentifiers.map(\.number) == [1, 2, 3])

    reader.memory = [ProcessID(3): 5]
    var memory = MemoryWriter(reader: reader, table: table)
    try await memory.look()
    let second = try #require(await batches.next())
    #expect(second.snapshot.itemIdentifiers.map(\.number) == [3, 1, 2])
    #expect(second.difference.itemMoves.count == 1)
    #expect(Array(second.difference.itemReconfigures) == [ItemPath(section: 0, item: 0)])

    listing.reader = FixedReader(listed: [listed[0], listed[2]])
    try await listing.look()
    let third = try #require(await batches.next())
    #expect(third.snapshot.itemIdentifiers.map(\.number) == [3, 1])
    #expect(Array(third.difference.itemDeletes) == [ItemPath(section: 0, item: 2)])

    // Nothing new: no revision.
    let revision = await source.revision
    try await memory.look()
    try await listing.look()
    #expect(await source.revision == revision)
  }
}
