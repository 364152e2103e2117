import Diffable
import DiffableTerminal
import Foundation

/// `livelist processes`: three writers, one data source, and a list that follows its batches.
@MainActor
struct ProcessesCommand {
  let options: ProcessesOptions
  private let table: ProcessTable

  init(options: ProcessesOptions) throws {
    self.options = options
    table = ProcessTable(
      // Writers make some revisions a second, and what the user did is to be undone long after.
      source: try ProcessSource(history: 4096),
      arrangement: ProcessArrangement(order: options.sort, grouping: options.grouping))
  }

  func run() async throws -> ExitStatus {
    let environment = ProcessInfo.processInfo.environment
    guard let terminal = Terminal.standard(environment: environment) else {
      try await writing {
        try await follow { batch in
          let line = BatchLine.text(for: batch, one: "process", many: "processes")
          try FileOutput.standardOutput.write(line + "\n")
        }
      }
      return .success
    }
    let program = TerminalProgram(
      terminal: terminal, colorDepth: ColorDepth(environment: environment))
    let view = ProcessView(
      grouping: options.grouping, cores: ProcessInfo.processInfo.activeProcessorCount,
      metrics: { [source = table.source] in source.metrics })
    view.changeHandler = { program.setNeedsDisplay() }
    view.wishHandler = { [table] wish in
      do {
        return try await table.perform(wish)
      } catch {
        return "\(error)"
      }
    }
    program.screen = { view.screen($0) }
    program.keyHandler = { view.press($0) }
    program.tickInterval = ProcessView.moment / 4
    program.tickHandler = { view.list.expireChangeMarks() }
    let ending = try await program.run {
      try await writing {
        try await follow { batch in await view.feed.take(batch, table.contents) }
      }
    }
    switch ending {
    case .finished: return .success
    case .signal(let number): die(of: number)
    }
  }

  /// Lets the writers write while something is done, after a first list, so that nobody sees an empty
  /// one.
  private func writing(_ body: @escaping @MainActor () async throws -> Void) async throws {
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

  /// Hands over batches until as many as asked for have been shown.
  private func follow(_ show: @MainActor (ProcessBatch) async throws -> Void) async throws {
    var count = 0
    for await batch in table.source.updates() {
      try await show(batch)
      count += 1
      if count == options.frames { break }
    }
  }
}
