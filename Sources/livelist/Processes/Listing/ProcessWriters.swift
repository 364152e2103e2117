import Diffable

/// A writer that repeatedly samples the machine and updates the data source.
protocol ProcessWriter: Sendable {
  /// Takes one sample.
  mutating func look() async throws
}

extension ProcessWriter {
  /// Samples now and after each interval, until the task is cancelled.
  consuming func run(every interval: Duration) async throws -> Never {
    while true {
      try await look()
      try await Task.sleep(for: interval)
    }
  }
}

extension ProcessSource {
  /// Lists the processes, and runs three writers while a function runs.
  nonisolated func writing(
    every interval: Duration, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    var listing = ListingWriter(reader: try systemProcessReader(), source: self)
    try await listing.look()
    let processor = ProcessorWriter(reader: try systemProcessReader(), source: self)
    let memory = MemoryWriter(reader: try systemProcessReader(), source: self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [listing] in
        try await Task.sleep(for: interval)
        try await listing.run(every: interval)
      }
      group.addTask {
        var processor = processor
        // A figure needs two samples: the second one follows soon.
        try await processor.look()
        try await Task.sleep(for: min(interval, .milliseconds(300)))
        try await processor.run(every: interval)
      }
      group.addTask { try await memory.run(every: interval) }
      group.addTask { try await body() }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}

/// Writes the list of processes.
struct ListingWriter: ProcessWriter {
  var reader: any ProcessReader
  let source: ProcessSource

  mutating func look() async throws {
    let processes = try reader.processes()
    try await source.write { $0.list(processes) }
  }
}

/// Writes the processor time of each process.
struct ProcessorWriter: ProcessWriter {
  var reader: any ProcessReader
  let source: ProcessSource
  private var sample = ProcessorSample()

  init(reader: any ProcessReader, source: ProcessSource) {
    self.reader = reader
    self.source = source
  }

  mutating func look() async throws {
    var next = ProcessorSample()
    for id in await source.snapshot.itemIdentifiers {
      next.times[id] = reader.processorTime(of: id).map { ($0, ContinuousClock.now) }
    }
    let values = next.permille(since: sample)
    sample = next
    try await source.write { $0.set(\.permille, to: values) }
  }
}

/// Writes the memory of each process.
struct MemoryWriter: ProcessWriter {
  var reader: any ProcessReader
  let source: ProcessSource

  mutating func look() async throws {
    var values: [ProcessID: Int] = [:]
    for id in await source.snapshot.itemIdentifiers {
      values[id] = reader.residentMemory(of: id)
    }
    try await source.write(machineMemory: reader.machineMemory()) { [values] in
      $0.set(\.memory, to: values)
    }
  }
}

/// The processor time of every process, each with the moment it was read.
struct ProcessorSample: Sendable {
  var times: [ProcessID: (used: Duration, at: ContinuousClock.Instant)] = [:]

  /// The use of each process since an earlier sample, in thousandths of one core.
  ///
  /// Processes that are not in the earlier sample are left out.
  func permille(since earlier: ProcessorSample) -> [ProcessID: Int] {
    var result: [ProcessID: Int] = [:]
    for (id, time) in times {
      guard let before = earlier.times[id] else { continue }
      let elapsed = before.at.duration(to: time.at)
      guard elapsed > .zero else { continue }
      result[id] = max(0, Int(((time.used - before.used) / elapsed * 1000).rounded()))
    }
    return result
  }
}
