import Diffable

/// Which process it is: a number is used again after its process has gone, but not in the same
/// moment, so the two together are an identity.
struct ProcessID: Hashable, Sendable {
  let number: Int32
  /// When the process started, in whatever unit the system counts.
  let start: UInt64
}

extension ProcessID: Comparable {
  static func < (left: ProcessID, right: ProcessID) -> Bool {
    (left.number, left.start) < (right.number, right.start)
  }
}

/// Who is there.
struct ListedProcess: Equatable, Sendable {
  let id: ProcessID
  /// The number of the process that started it, or that has taken care of it since; 0 for none.
  var parent: Int32 = 0
  var user: String
  /// What was started: the command line where it can be read, else the name the system keeps.
  var command: String
  /// Whether it is a part of the system's kernel.
  var isKernelThread = false
}

/// All that is known about one process: what a row shows.
struct ProcessRecord: Identifiable, Equatable, Sendable {
  var listed: ListedProcess
  /// Processor time in thousandths of one core; 0 until two looks have been compared.
  var permille = 0
  /// Resident memory, in bytes.
  var memory = 0
  /// The process that it is below, if that is still there.
  var parent: ProcessID?
  /// What it and all below it use.
  var total = ProcessSums()

  var id: ProcessID { listed.id }
  /// What it uses itself.
  var own: ProcessSums { ProcessSums(processes: 1, permille: permille, memory: memory) }
  /// Whether it is a kernel thread that does nothing, nor any below it.
  var isIdleKernelThread: Bool { listed.isKernelThread && total.permille == 0 }
}

/// Sums over some processes.
struct ProcessSums: Equatable, Sendable {
  var processes = 0
  var permille = 0
  var memory = 0
}

extension ProcessSums: AdditiveArithmetic {
  static let zero = ProcessSums()

  static func + (left: ProcessSums, right: ProcessSums) -> ProcessSums {
    ProcessSums(
      processes: left.processes + right.processes, permille: left.permille + right.permille,
      memory: left.memory + right.memory)
  }

  static func - (left: ProcessSums, right: ProcessSums) -> ProcessSums {
    ProcessSums(
      processes: left.processes - right.processes, permille: left.permille - right.permille,
      memory: left.memory - right.memory)
  }
}

/// The memory of the machine, in bytes.
struct MachineMemory: Equatable, Sendable {
  var total: Int
  var used: Int
}
