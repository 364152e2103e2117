import Diffable
import DiffableQueries

typealias ProcessSource = ModelSource<ProcessGroup, ProcessRecord>
typealias ProcessBatch = ModelBatch<ProcessGroup, ProcessRecord>
/// The processes as shown on the screen.
typealias ProcessList = DerivedSource<ProcessBatch, ProcessBatch>

/// A section of the list.
enum ProcessGroup: ModelledSection {
  typealias SectionModel = ProcessSummary

  /// All processes; the only section that the writers use.
  case everybody
  /// The processes of one user.
  case user(String)
  /// The processes of one machine, in a list of several machines.
  case machine(String)
}

extension ProcessGroup: Comparable {}

extension ProcessGroup: Codable {
  /// Only the lists of machines are read.
  init(from decoder: any Decoder) throws {
    self = .machine(try decoder.singleValueContainer().decode(String.self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .everybody: try container.encode("")
    case .user(let name), .machine(let name): try container.encode(name)
    }
  }
}

/// The summary that a section shows besides its rows.
struct ProcessSummary: Equatable, Codable, Sendable {
  var sums = ProcessSums()
  var users = 0
  var machines = 1
  var idleKernelThreads = 0
  var machineMemory: MachineMemory?
  /// When the machine last said that it is there, in seconds since 1970; only in its shared list.
  var lastWord: Int?

  /// What other processes and pages read.
  private enum CodingKeys: String, CodingKey {
    case sums
    case users
    case machineMemory = "memory"
    case lastWord
  }
}

extension ProcessSource {
  /// Changes the known processes, and everything that follows from them.
  ///
  /// - Parameter machineMemory: The memory of the machine, if it has changed.
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
