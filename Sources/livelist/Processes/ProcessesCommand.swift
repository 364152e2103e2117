import Diffable
import Foundation

/// `livelist processes`: three writers, one data source, and a list that follows its batches.
struct ProcessesCommand: ListCommand {
  let options: ProcessesOptions
  private let table: ProcessTable

  init(options: ProcessesOptions) throws {
    self.options = options
    table = ProcessTable(
      // Writers make some revisions a second, and what the user did is to be undone long after.
      source: ProcessSource(history: 4096),
      arrangement: ProcessArrangement(order: options.sort, grouping: options.grouping))
  }

  var frames: Int? { options.frames }

  func updates() -> AsyncStream<ProcessBatch> { table.source.updates() }

  func line(for batch: ProcessBatch) -> String {
    BatchLine.text(for: batch, one: "process", many: "processes")
  }

  func makeView() -> ProcessView {
    let view = ProcessView(
      grouping: options.grouping, cores: ProcessInfo.processInfo.activeProcessorCount,
      metrics: { [source = table.source] in source.metrics })
    view.wishHandler = { [table] wish in
      do {
        return try await table.perform(wish)
      } catch {
        return "\(error)"
      }
    }
    return view
  }

  func show(_ batch: ProcessBatch, in view: ProcessView) async {
    await view.take(batch, table.contents)
  }

  func writing(_ body: @escaping @MainActor () async throws -> Void) async throws {
    var listing = ListingWriter(reader: try systemProcessReader(), table: table)
    try await listing.look()
    let processor = ProcessorWriter(reader: try systemProcessReader(), table: table)
    let memory = MemoryWriter(reader: try systemProcessReader(), table: table)
    let interval = options.interval
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [listing] in
        try await Task.sleep(for: interval)
        try await listing.run(every: interval)
      }
      group.addTask {
        var processor = processor
        // Two looks make a figure: the second one comes soon.
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
