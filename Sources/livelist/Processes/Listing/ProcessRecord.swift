import Diffable

/// The identity of a process: its number and its start.
///
/// A number is used again after its process has ended, but not in the same moment.
struct ProcessID: Hashable, Sendable {
  let number: Int32
  /// The start of the process, in the unit of the system.
  let start: UInt64
  /// The name of the machine, in a list of several machines.
  var machine = ""
}

extension ProcessID: Comparable {
  static func < (left: ProcessID, right: ProcessID) -> Bool {
    (left.number, left.start, left.machine) < (right.number, right.start, right.machine)
  }
}

// In other processes and in pages identifiers are single texts: they are in every delta.
extension ProcessID: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let parts = try container.decode(String.self)
      .split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let number = Int32(parts[0]), let start = UInt64(parts[1]) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is not that of a process.")
    }
    self.init(number: number, start: start, machine: String(parts[2]))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(number):\(start):\(machine)")
  }
}

/// A process in the list of all processes.
struct ListedProcess: Equatable, Codable, Sendable {
  var id: ProcessID
  /// The number of the process that started or adopted it; 0 for none.
  var parent: Int32 = 0
  var user: String
  /// The command line, or the system's name for the process if the command line is not readable.
  var command: String
  /// Whether it is part of the kernel.
  var isKernelThread = false
}

/// Everything that is known about a process, for its row.
struct ProcessRecord: Identifiable, Equatable, Codable, Sendable {
  var listed: ListedProcess
  /// Processor time in thousandths of one core; 0 until there are two samples.
  var permille = 0
  /// Resident memory, in bytes.
  var memory = 0
  /// Its parent, if that still exists.
  var parent: ProcessID?
  /// The sums over it and its descendants.
  var total = ProcessSums()

  var id: ProcessID { listed.id }
  /// The sums over it alone.
  var own: ProcessSums { ProcessSums(processes: 1, permille: permille, memory: memory) }
  /// Whether it is a kernel thread that is idle, with all its descendants.
  var isIdleKernelThread: Bool { listed.isKernelThread && total.permille == 0 }
}

/// Sums over some processes.
struct ProcessSums: Equatable, Codable, Sendable {
  var processes = 0
  var permille = 0
  var memory = 0
}

// Other machines may say any numbers. A sum that is too large wraps around, so that what is added to it
// can be taken away again.
extension ProcessSums: AdditiveArithmetic {
  static let zero = ProcessSums()

  static func + (left: ProcessSums, right: ProcessSums) -> ProcessSums {
    ProcessSums(
      processes: left.processes &+ right.processes, permille: left.permille &+ right.permille,
      memory: left.memory &+ right.memory)
  }

  static func - (left: ProcessSums, right: ProcessSums) -> ProcessSums {
    ProcessSums(
      processes: left.processes &- right.processes, permille: left.permille &- right.permille,
      memory: left.memory &- right.memory)
  }
}

/// The memory of the machine, in bytes.
struct MachineMemory: Equatable, Codable, Sendable {
  var total: Int
  var used: Int
}
