import Diffable
import DiffableTerminal
import Foundation

/// `livelist processes`: three writers, one data source, and somebody who follows its batches.
struct ProcessesCommand {
  let options: ProcessesOptions
  private let table = ProcessTable()
  private let source: ProcessSource
  private let arrangement: ProcessArrangement

  init(options: ProcessesOptions) throws {
    self.options = options
    arrangement = ProcessArrangement(order: options.sort, isFlat: options.isFlat)
    source = try ProcessSource()
  }

  /// Why the command ends.
  private enum Ending: Sendable {
    case finished
    case signal(Int32)
  }

  @concurrent
  func run() async throws -> ExitStatus {
    let environment = ProcessInfo.processInfo.environment
    guard let terminal = Terminal.standard(environment: environment) else {
      try await writeLines()
      return .success
    }
    switch try await show(in: terminal, environment: environment) {
    case .finished: return .success
    case .signal(let number): die(of: number)
    }
  }

  private func listingWriter() throws -> ListingWriter {
    ListingWriter(
      reader: try systemProcessReader(), table: table, source: source, arrangement: arrangement)
  }

  /// Starts the writers, after a first list, so that nobody sees an empty one.
  private func startWriters(in group: inout ThrowingTaskGroup<Ending, any Error>) async throws {
    var listing = try listingWriter()
    try await listing.look()
    let processor = ProcessorWriter(
      reader: try systemProcessReader(), table: table, source: source, arrangement: arrangement)
    let memory = MemoryWriter(
      reader: try systemProcessReader(), table: table, source: source, arrangement: arrangement)
    let interval = options.interval
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
  }

  /// One line a batch.
  private func writeLines() async throws {
    _ = try await withThrowingTaskGroup(of: Ending.self) { group in
      try await startWriters(in: &group)
      group.addTask {
        try await follow { batch in
          try FileOutput.standardOutput.write(
            BatchLine.text(for: batch, one: "process", many: "processes") + "\n")
        }
      }
      defer { group.cancelAll() }
      return try await group.next()
    }
  }

  /// The list in a terminal.
  ///
  /// Nobody draws any more when the terminal is given back: all tasks have ended by then.
  private func show(
    in terminal: Terminal, environment: [String: String]
  ) async throws -> Ending {
    let renderer = ProcessRenderer(
      screen: ProcessScreen(
        arrangement: arrangement, cores: ProcessInfo.processInfo.activeProcessorCount),
      size: terminal.size, usesColor: (environment["NO_COLOR"] ?? "").isEmpty,
      metrics: { [source] in source.metrics }, write: { try terminal.output.write($0) })
    // Signals are watched before the terminal is changed, so that none finds it changed.
    let watch = await TerminalWatch(input: terminal.input)
    defer { watch.stop() }
    let events = watch.events
    try terminal.enter()
    defer { terminal.leave() }
    return try await withThrowingTaskGroup(of: Ending.self) { group in
      try await startWriters(in: &group)
      group.addTask {
        try await follow { batch in
          try await renderer.take(batch, contents: table.contents)
        }
      }
      group.addTask { try await obey(events, renderer, terminal) }
      group.addTask {
        while true {
          try await Task.sleep(for: ProcessRenderer.moment / 4)
          try await renderer.expire()
        }
      }
      defer { group.cancelAll() }
      return try await group.next() ?? .finished
    }
  }

  /// Hands over batches until as many as asked for have been shown.
  private func follow(_ show: (ProcessBatch) async throws -> Void) async throws -> Ending {
    var count = 0
    for await batch in source.updates() {
      try await show(batch)
      count += 1
      if count == options.frames { break }
    }
    return .finished
  }

  /// Does what the user and the system say, until one of them wants an end.
  private func obey(
    _ events: AsyncStream<TerminalEvent>, _ renderer: ProcessRenderer, _ terminal: Terminal
  ) async throws -> Ending {
    for await event in events {
      switch event {
      case .key(let key):
        guard try await renderer.press(key) else { return .finished }
      case .resized:
        try await renderer.resize(to: terminal.size)
      case .pauseRequested:
        try await renderer.yieldTerminal {
          terminal.leave()
          kill(getpid(), SIGSTOP)
          // Here the process goes on when somebody brings it back.
          try terminal.enter()
          return terminal.size
        }
      case .endRequested(let signal):
        return .signal(signal)
      }
    }
    return .finished
  }
}
