import Diffable
import DiffableQueries
import Foundation

/// `livelist processes`: three writers, one data source, and a list that is derived from it.
struct ProcessesCommand: ListCommand {
  let options: ProcessesOptions
  private let source = ProcessSource()
  /// The processes as shown on the screen.
  private let shown: ProcessList

  init(options: ProcessesOptions) {
    self.options = options
    shown = source.derived { options.arrangement.query($0) }
  }

  var frames: Int? { options.frames }

  func updates() -> AsyncStream<ProcessBatch> { shown.updates() }

  func makeView() -> ProcessView {
    ProcessView(
      shown, options.arrangement, cores: ProcessInfo.processInfo.activeProcessorCount,
      metrics: { [source] in source.metrics })
  }

  func show(_ batch: ProcessBatch, in view: ProcessView) async {
    await view.show(batch.target, source.sectionModel(for: .everybody) ?? ProcessSummary())
  }

  func writing(_ body: @escaping @MainActor () async throws -> Void) async throws {
    guard let name = options.name else {
      return try await source.writing(every: options.interval, body)
    }
    let list = try await options.address.open(name)
    try await source.writing(every: options.interval) { [source] in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await source.publish(to: list, as: name) }
        group.addTask { try await body() }
        defer { group.cancelAll() }
        try await group.next()
      }
    }
  }
}

extension ListCommand where Batch == ProcessBatch {
  func line(for batch: ProcessBatch) -> String {
    BatchLine.text(for: batch.update, one: "process", many: "processes")
  }
}
