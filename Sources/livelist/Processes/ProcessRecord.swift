/// Which process it is: a number is used again after its process has gone, but not in the same
/// moment, so the two together are an identity.
struct ProcessID: Hashable, Sendable {
  let number: Int32
  /// When the process started, in whatever unit the system counts.
  let start: UInt64
}

/// Who is there.
struct ListedProcess: Equatable, Sendable {
  let id: ProcessID
  /// The number of the process that started it, or that has taken care of it since; 0 for none.
  var parent: Int32 = 0
  var user: String
  /// What was started: the command line where it can be read, else the name the system keeps.
  var command: String
}

/// All that is known about one process.
struct ProcessRecord: Equatable, Sendable {
  var listed: ListedProcess
  /// Processor time in thousandths of one core; 0 until two looks have been compared.
  var permille = 0
  /// Resident memory, in bytes.
  var memory = 0
}

/// The memory of the machine, in bytes.
struct MachineMemory: Equatable, Sendable {
  var total: Int
  var used: Int
}
