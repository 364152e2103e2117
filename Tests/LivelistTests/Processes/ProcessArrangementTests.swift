import Diffable
import DiffableQueries
import DiffableTerminal
import Testing

@testable import livelist

extension ProcessID {
  /// A process of a test: its number says all.
  init(_ number: Int32) {
    self.init(number: number, start: 1)
  }
}

/// The processes of a test.
func listed(
  _ processes: [(number: Int32, user: String)], parents: [Int32: Int32] = [:]
) -> [ListedProcess] {
  processes.map { process in
    ListedProcess(
      id: ProcessID(process.number), parent: parents[process.number] ?? 0, user: process.user,
      command: "program-\(process.number)")
  }
}

extension ProcessSource {
  /// Writes what all writers would write.
  func write(
    _ processes: [ListedProcess], permille: [Int32: Int] = [:], memory: [Int32: Int] = [:],
    machineMemory: MachineMemory? = nil
  ) throws {
    func values(_ values: [Int32: Int]) -> [ProcessID: Int] {
      Dictionary(uniqueKeysWithValues: values.map { (ProcessID($0.key), $0.value) })
    }
    let (permille, memory) = (values(permille), values(memory))
    try write(machineMemory: machineMemory) { table in
      table.list(processes)
      table.set(\.permille, to: permille)
      table.set(\.memory, to: memory)
    }
  }
}

extension ProcessGroup {
  var name: String { if case .user(let name) = self { name } else { "all" } }
}

@Suite("Arrangement of processes") struct ProcessArrangementTests {
  private func makeSource() async throws -> ProcessSource {
    let source = ProcessSource()
    var processes = listed([(4, "root"), (3, "ann"), (2, "ann"), (1, "ann"), (9, "root")])
    processes[4].isKernelThread = true
    try await source.write(
      processes, permille: [3: 200, 2: 900, 1: 200], memory: [4: 10, 3: 30, 2: 20, 1: 40])
    return source
  }

  private func picture(_ snapshot: Snapshot<ProcessGroup, ProcessID>) -> String {
    snapshot.sectionIdentifiers.map { section in
      let numbers = snapshot.items(inSection: section).map { "\($0.number)" }
      return "\(section.name)[\(numbers.joined(separator: " "))]"
    }
    .joined(separator: " ")
  }

  @Test(
    "Sections are users by name, rows go by what is asked for, equals by number",
    arguments: [
      (ProcessOrder.cpu, .users, "ann[2 1 3] root[4]"),
      (.memory, .users, "ann[1 3 2] root[4]"),
      (.pid, .users, "ann[1 2 3] root[4]"),
      (.cpu, .flat, "all[2 1 3 4]"),
    ] as [(ProcessOrder, ProcessArrangement.Grouping, String)])
  func order(
    _ order: ProcessOrder, _ grouping: ProcessArrangement.Grouping, _ expected: String
  ) async throws {
    let arrangement = ProcessArrangement(order: order, grouping: grouping)
    let shown = try await makeSource().derived { arrangement.query($0) }
    #expect(picture(await shown.snapshot) == expected)
  }

  @Test("Idle kernel threads are shown to who wants to see them, and busy ones to all")
  func kernelThreads() async throws {
    let source = try await makeSource()
    var arrangement = ProcessArrangement(order: .pid, grouping: .flat)
    let shown = source.derived { [arrangement] in arrangement.query($0) }
    #expect(picture(await shown.snapshot) == "all[1 2 3 4]")
    #expect(await source.sectionModel(for: .everybody)?.idleKernelThreads == 1)
    arrangement.showsIdleKernelThreads = true
    try await shown.setQuery { [arrangement] in arrangement.query($0) }
    #expect(picture(await shown.snapshot) == "all[1 2 3 4 9]")
    arrangement.showsIdleKernelThreads = false
    try await shown.setQuery { [arrangement] in arrangement.query($0) }
    try await source.write { $0.set(\.permille, to: [ProcessID(9): 1]) }
    #expect(picture(await shown.snapshot) == "all[1 2 3 4 9]")
  }

  @Test("A search finds processes by number, user and command, and shows them as a list")
  func search() async throws {
    var arrangement = ProcessArrangement(order: .pid, grouping: .tree)
    let source = ProcessSource()
    try await source.write(
      listed([(1, "root"), (2, "ann"), (3, "zoe"), (4, "ann")], parents: [2: 1, 3: 2, 4: 1]))
    let shown = source.derived { [arrangement] in arrangement.query($0) }
    try await shown.collapseItems([ProcessID(1)])
    #expect(picture(await shown.snapshot) == "all[1]")
    for (text, expected) in [
      ("zoe program", "all[3]"), ("nobody", "all[]"), ("ann", "all[2 4]"), ("", "all[1]"),
    ] {
      arrangement.search = .init(text)
      try await shown.setQuery { [arrangement] in arrangement.query($0) }
      #expect(picture(await shown.snapshot) == expected)
    }
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
    let listed = listed([(1, "ann"), (2, "ann"), (3, "ann")])
    let source = ProcessSource()
    let arrangement = ProcessArrangement(order: .memory, grouping: .users)
    let shown = source.derived { arrangement.query($0) }
    var reader = FixedReader(listed: listed)
    var listing = ListingWriter(reader: reader, source: source)
    try await listing.look()
    var batches = shown.updates().makeAsyncIterator()
    let first = try #require(await batches.next())
    #expect(first.base == nil)
    #expect(first.snapshot.itemIdentifiers.map(\.number) == [1, 2, 3])

    reader.memory = [ProcessID(3): 5]
    var memory = MemoryWriter(reader: reader, source: source)
    try await memory.look()
    let second = try #require(await batches.next())
    #expect(second.snapshot.itemIdentifiers.map(\.number) == [3, 1, 2])
    #expect(second.difference.itemMoves.count == 1)
    #expect(Array(second.difference.itemReconfigures) == [ItemPath(section: 0, item: 0)])
    #expect(
      second.sectionModel(for: .user("ann"))?.sums
        == ProcessSums(processes: 3, permille: 0, memory: 5))

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
}
