/// Asks the system about its processes.
///
/// Processes come and go while one reads: what has gone is left out, which is no error. A reader
/// keeps buffers and caches, so each writer has its own.
protocol ProcessReader: Sendable {
  /// The processes there are, in no particular order.
  mutating func processes() throws -> [ListedProcess]
  /// The processor time a process has used since it started; `nil` if it has gone.
  mutating func processorTime(of process: ProcessID) -> Duration?
  /// The memory a process has resident, in bytes; `nil` if it has gone.
  mutating func residentMemory(of process: ProcessID) -> Int?
  /// The memory of the machine, if the system says.
  mutating func machineMemory() -> MachineMemory?
}

/// The reader for the system the command runs on.
func systemProcessReader() throws -> any ProcessReader {
  #if os(Linux) || os(Android)
  return ProcReader()
  #elseif os(macOS)
  return LibprocReader()
  #else
  throw UnsupportedSystem()
  #endif
}

/// There is no reader for this system.
struct UnsupportedSystem: Error, CustomStringConvertible {
  var description: String {
    "processes can be listed on Linux and macOS only; “livelist stream” works here"
  }
}
