/// Everything that is known about all processes at one moment.
struct ProcessTable {
  private(set) var records: [ProcessID: ProcessRecord]

  init(_ records: [ProcessRecord] = []) {
    self.records = Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
  }

  /// All processes by number.
  var inOrder: [ProcessRecord] { records.values.sorted { $0.id < $1.id } }

  /// The sums over all processes.
  var summary: ProcessSummary {
    ProcessSummary(
      sums: records.values.reduce(.zero) { $0 + $1.own },
      users: Set(records.values.lazy.map(\.listed.user)).count,
      idleKernelThreads: records.values.count(where: \.isIdleKernelThread))
  }

  /// Updates the list of processes: others are removed, and known ones keep their figures.
  mutating func list(_ processes: [ListedProcess]) {
    var listed: [ProcessID: ProcessRecord] = [:]
    for process in processes {
      listed[process.id] = records[process.id] ?? ProcessRecord(listed: process)
      listed[process.id]?.listed = process
    }
    records = listed
  }

  /// Sets figures; those of processes that have ended are ignored.
  mutating func set(
    _ field: WritableKeyPath<ProcessRecord, Int>, to values: [ProcessID: Int]
  ) {
    for (id, value) in values { records[id]?[keyPath: field] = value }
  }

  /// Computes the tree of processes, and the sums over it.
  mutating func complete() {
    var numbers: [Int32: ProcessID] = [:]
    for id in records.keys where numbers[id.number].map({ $0 < id }) ?? true {
      numbers[id.number] = id
    }
    for (id, record) in records {
      // The number may belong to another process by now, one that started later.
      let parent = numbers[record.listed.parent]
      records[id]?.parent = parent.flatMap { $0.start > id.start || $0 == id ? nil : $0 }
    }
    for id in records.keys { records[id]?.total = .zero }
    for (id, record) in records {
      // Up to the root. A list that is read while processes start and end may contain two that
      // started each other.
      var (next, seen): (ProcessID?, Set<ProcessID>) = (id, [])
      while let above = next, seen.insert(above).inserted {
        records[above]?.total += record.own
        next = records[above]?.parent
      }
    }
  }
}
