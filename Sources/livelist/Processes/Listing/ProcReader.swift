import Foundation

/// Reads processes from Linux's `/proc`.
struct ProcReader: ProcessReader {
  private let root: String
  private var files = FileBuffer()
  private var users = UserNames()
  /// A command line changes only when the process starts another program, which changes its name.
  private var commands: [ProcessID: (name: String, command: String)] = [:]
  private let ticksPerSecond: Int
  private let pageSize: Int

  /// - Parameter root: The root of the file system; tests use their own.
  init(root: String = "/proc") {
    self.root = root
    ticksPerSecond = max(1, sysconf(Int32(_SC_CLK_TCK)))
    pageSize = max(1, sysconf(Int32(_SC_PAGESIZE)))
  }

  mutating func processes() throws -> [ListedProcess] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: root) else {
      throw UnreadableDirectory(path: root)
    }
    var known: [ProcessID: (name: String, command: String)] = [:]
    var result: [ListedProcess] = []
    for name in names {
      guard let number = Int32(name), let (process, program) = process(number) else { continue }
      result.append(process)
      known[process.id] = (program, process.command)
    }
    commands = known
    return result
  }

  /// A process and the name of its program.
  private mutating func process(_ number: Int32) -> (ListedProcess, String)? {
    var status = stat()
    guard lstat("\(root)/\(number)", &status) == 0, let stat = readStat(number) else { return nil }
    let id = ProcessID(number: number, start: stat.start)
    let command: String
    if let known = commands[id], known.name == stat.name {
      command = known.command
    } else {
      let line = files.read("\(root)/\(number)/cmdline").flatMap(ProcText.command(inCmdline:))
      command = line ?? "[\(stat.name)]"
    }
    let process = ListedProcess(
      id: id, parent: stat.parent, user: users.name(of: status.st_uid), command: command,
      isKernelThread: stat.isKernelThread)
    return (process, stat.name)
  }

  mutating func processorTime(of process: ProcessID) -> Duration? {
    guard let stat = readStat(process.number), stat.start == process.start else { return nil }
    return .seconds(Double(stat.processorTicks) / Double(ticksPerSecond))
  }

  mutating func residentMemory(of process: ProcessID) -> Int? {
    files.read("\(root)/\(process.number)/statm")
      .flatMap(ProcText.residentPages(inStatm:))
      .map { $0.multipliedReportingOverflow(by: pageSize) }
      .flatMap { $0.overflow ? nil : $0.partialValue }
  }

  mutating func machineMemory() -> MachineMemory? {
    files.read("\(root)/meminfo").flatMap(ProcText.memory(inMeminfo:))
  }

  private mutating func readStat(_ number: Int32) -> ProcStat? {
    files.read("\(root)/\(number)/stat").flatMap { ProcStat($0) }
  }
}

/// An error: the list of processes cannot be read.
struct UnreadableDirectory: Error, CustomStringConvertible {
  let path: String
  var description: String { "cannot read \(path): is it mounted?" }
}

/// Reads small files into the same memory.
private struct FileBuffer {
  private var bytes = [UInt8](repeating: 0, count: 4096)

  /// The beginning of a file, as far as the buffer goes, or `nil` if there is no file.
  ///
  /// The useful part of a file in `/proc` is at its beginning, and no screen is wider.
  mutating func read(_ path: String) -> ArraySlice<UInt8>? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var filled = 0
    while filled < bytes.count {
      let count = bytes[filled...].withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      // If a process ends between opening and reading, there is an error.
      guard count >= 0 else { return nil }
      if count == 0 { break }
      filled += count
    }
    return bytes[..<filled]
  }
}
