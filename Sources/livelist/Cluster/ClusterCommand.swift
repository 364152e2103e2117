import Diffable
import DiffableQueries
import Foundation

/// Which machines `livelist cluster` shows, and when it stops.
struct ClusterOptions: Equatable, Sendable {
  var address = ClusterAddress()
  var sort = ProcessOrder.cpu
  /// The number of batches after which to stop; `nil` continues until the user quits.
  var frames: Int?
}

/// `livelist cluster`: the processes of several machines in one list, with a section a machine.
struct ClusterCommand: ListCommand {
  static let nouns = ProcessesCommand.nouns
  /// How often the names of the machines are read again.
  private static let pause = Duration.seconds(5)

  let options: ClusterOptions
  private let arrangement: ProcessArrangement
  /// What is shown: a merge of the lists of all machines, sorted and grouped.
  let shown: ProcessList
  /// The list while there is no machine.
  private let nothing = ProcessSource()
  private let machines = ClusterMachines()

  init(options: ClusterOptions) {
    let arrangement = ProcessArrangement(order: options.sort, grouping: .machines)
    (self.options, self.arrangement) = (options, arrangement)
    shown = nothing.derived { arrangement.query($0) }
  }

  func makeView() -> ProcessView {
    let view = ProcessView(
      shown, arrangement, cores: nil, metrics: { [shown] in shown.metrics })
    machines.changeHandler = { [weak view] in view?.silentMachines = $0 }
    return view
  }

  func line(for batch: ProcessBatch) -> String {
    let now = Date()
    let silent = machines.silent.sorted { $0.key < $1.key }
      .map { "; \($0.key) is silent since \(Figure.time($0.value, now: now))" }
    return BatchLine.text(for: batch.update, Self.nouns) + silent.joined()
  }

  func show(_ batch: ProcessBatch, in view: ProcessView) async {
    var summary = ProcessSummary()
    let sections = batch.snapshot.sectionIdentifiers
    summary.machines = sections.count
    for section in sections {
      if let model = batch.sectionModel(for: section) { summary.sums = summary.sums + model.sums }
    }
    await view.show(batch.target, summary)
  }

  /// Follows the machines that there are, and those that come, during a function.
  func writing(_ body: @escaping @MainActor () async throws -> Void) async throws {
    var opened: [String: SharedList] = [:]
    for name in try await options.address.machines() {
      opened[name] = try await options.address.open(name)
    }
    let lists = opened
    try await merge(lists)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while true {
          await machines.look()
          try await Task.sleep(for: .seconds(1))
        }
      }
      group.addTask {
        var lists = lists
        while true {
          try await Task.sleep(for: Self.pause)
          // If the servers do not answer, what is shown stays, and they are asked again.
          guard let names = try? await options.address.machines() else { continue }
          let opened = await Self.lists(of: names, knowing: lists) {
            try await options.address.open($0)
          }
          guard opened.keys != lists.keys else { continue }
          lists = opened
          try await merge(lists)
        }
      }
      group.addTask { try await body() }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// The lists of machines: those that are known, and others as far as they can be opened.
  ///
  /// What is wrong with one of them must not keep out those that come later.
  nonisolated static func lists(
    of names: [String], knowing known: [String: SharedList],
    _ open: (String) async throws -> SharedList
  ) async -> [String: SharedList] {
    var lists: [String: SharedList] = [:]
    for name in names {
      lists[name] = if let list = known[name] { list } else { try? await open(name) }
    }
    return lists
  }

  private nonisolated func merge(_ lists: [String: SharedList]) async throws {
    await MainActor.run { machines.lists = lists }
    try await shown.show(lists.sorted { $0.key < $1.key }.map(\.value), or: nothing)
  }
}

extension ProcessList {
  /// Shows the lists of some machines as one list.
  ///
  /// - Parameter nothing: What is shown if there are none.
  func show(_ lists: [SharedList], or nothing: ProcessSource) throws(DataSourceError) {
    guard let first = lists.first else { return try setBase(nothing) }
    guard lists.count > 1 else { return try setBase(first) }
    var merged = first.merged(with: lists[1])
    for list in lists.dropFirst(2) { merged = merged.merged(with: list) }
    try setBase(merged)
  }
}
