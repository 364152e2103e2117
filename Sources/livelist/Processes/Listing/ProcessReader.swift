/// Reads the processes of the system.
///
/// Processes start and end during reading: those that have ended are left out, which is not an
/// error. A reader has buffers and caches, so each writer has its own.
protocol ProcessReader: Sendable {
  /// The current processes, in no particular order.
  mutating func processes() throws -> [ListedProcess]
  /// The processor time of a process since it started; `nil` if it has ended.
  mutating func processorTime(of process: ProcessID) -> Duration?
  /// The resident memory of a process, in bytes; `nil` if it has ended.
  mutating func residentMemory(of process: ProcessID) -> Int?
  /// The memory of the machine, if the system returns it.
  mutating func machineMemory() -> MachineMemory?
}

/// The reader for the current system.
func systemProcessReader() throws -> any ProcessReader {
  #if os(Linux) || os(Android)
  return ProcReader()
  #elseif os(macOS)
  return LibprocReader()
  #else
  throw UnsupportedSystem()
  #endif
}

/// An error: there is no reader for this system.
struct UnsupportedSystem: Error, CustomStringConvertible {
  var description: String {
    "processes can be listed on Linux and macOS only; “livelist stream” works here"
  }
}
