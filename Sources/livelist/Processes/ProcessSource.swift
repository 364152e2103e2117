import Diffable

typealias ProcessSource = ModelSource<ProcessGroup, ProcessRecord>
typealias ProcessBatch = ModelBatch<ProcessGroup, ProcessRecord>
/// What the screen shows of the processes.
typealias ProcessList = DerivedSource<ProcessBatch, ProcessBatch>

/// A section of the list.
enum ProcessGroup: ModelledSection {
  typealias SectionModel = ProcessSummary

  /// All processes; the only section that the writers know.
  case everybody
  /// Those of one user.
  case user(String)
}

extension ProcessGroup: Comparable {}

/// What a section shows besides its rows.
struct ProcessSummary: Equatable, Sendable {
  var sums = ProcessSums()
  var users = 0
  var idleKernelThreads = 0
  var machineMemory: MachineMemory?
}

extension ProcessSource {
  /// Changes what is known of the processes; what follows from it follows.
  ///
  /// - Parameter machineMemory: The memory of the machine, if that is news.
  func write(
    machineMemory: MachineMemory? = nil, _ change: @Sendable (inout ProcessTable) -> Void
  ) throws {
    try update { draft in
      var table = ProcessTable(draft.snapshot.itemIdentifiers.compactMap(draft.model(for:)))
      change(&table)
      table.complete()
      if !draft.snapshot.containsSection(.everybody) {
        draft.snapshot.appendSections([.everybody])
      }
      try draft.replaceItems(inSection: .everybody, with: table.inOrder)
      var summary = table.summary
      summary.machineMemory =
        machineMemory ?? draft.sectionModel(for: .everybody)?.machineMemory
      try draft.setSectionModel(summary, for: .everybody)
    }
  }
}
