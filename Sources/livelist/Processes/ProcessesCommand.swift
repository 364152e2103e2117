import Diffable
import DiffableQueries
import Foundation

/// How `livelist processes` lists processes, and when it stops.
struct ProcessesOptions: Equatable, Sendable {
  /// The reasonable intervals between two samples, in seconds.
  static let intervals = 0.1...3600.0

  var sort = ProcessOrder.cpu
  var grouping = ProcessArrangement.Grouping.users
  var interval = Duration.seconds(1)
  /// The name under which other machines can see the processes; `nil` if they cannot.
  var name: String?
  var address = ClusterAddress()
  /// The number of batches after which to stop; `nil` continues until the user quits.
  var frames: Int?

  var arrangement: ProcessArrangement { ProcessArrangement(order: sort, grouping: grouping) }
}

/// `livelist processes`: three writers, one data source, and a list that is derived from it.
struct ProcessesCommand: ListCommand {
  static let nouns = (one: "process", many: "processes")

  let options: ProcessesOptions
  private let source = ProcessSource()
  /// The processes as shown on the screen.
  let shown: ProcessList

  init(options: ProcessesOptions) {
    self.options = options
    shown = source.derived { options.arrangement.query($0) }
  }

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
