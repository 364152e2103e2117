import Diffable
import DiffableTerminal
import Foundation

/// `livelist gallery`: four writers, one data source, three types of cells, and a search.
@MainActor
struct GalleryCommand {
  let options: GalleryOptions
  private let source = GallerySource()

  init(options: GalleryOptions) {
    self.options = options
  }

  func run() async throws -> ExitStatus {
    try await source.update { draft in try GalleryCatalogue.opening(&draft) }
    let environment = ProcessInfo.processInfo.environment
    guard let terminal = Terminal.standard(environment: environment) else {
      try await writing { source in
        try await follow(source) { batch in
          let line = BatchLine.text(for: batch.update, one: "exhibit", many: "exhibits")
          try FileOutput.standardOutput.write(line + "\n")
        }
      }
      return .success
    }
    let program = TerminalProgram(
      terminal: terminal, colorDepth: ColorDepth(environment: environment))
    let view = GalleryView()
    view.changeHandler = { program.setNeedsDisplay() }
    program.screen = { view.screen($0) }
    program.keyHandler = { view.press($0) }
    program.tickInterval = GalleryView.moment / 4
    program.tickHandler = { view.list.expireChangeMarks() }
    let ending = try await program.run {
      try await writing { source in
        try await follow(source) { batch in await view.feed.take(batch) }
      }
    }
    switch ending {
    case .finished: return .success
    case .signal(let number): die(of: number)
    }
  }

  /// Lets the writers write while something is done.
  private func writing(
    _ body: @MainActor (GallerySource) async throws -> Void
  ) async throws {
    let writers = GalleryWriter<SystemRandomNumberGenerator>.Job.allCases.map { job in
      GalleryWriter(job, source: source, generator: SystemRandomNumberGenerator())
    }
    let tasks = writers.map { [interval = options.interval] writer in
      Task { try await writer.run(every: interval) }
    }
    defer { for task in tasks { task.cancel() } }
    try await body(source)
  }

  /// Hands over batches until as many as asked for have been shown.
  private func follow(
    _ source: GallerySource, _ show: @MainActor (GalleryBatch) async throws -> Void
  ) async throws {
    var count = 0
    for await batch in source.updates() {
      try await show(batch)
      count += 1
      if count == options.frames { break }
    }
  }
}
