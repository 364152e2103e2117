#if os(macOS)
import Darwin

/// Reads processes with libproc and sysctl, as documented in `<libproc.h>` and `sysctl(3)`.
///
/// It was written from the headers; the project's checks run on Linux and do not build this file.
/// For processes of other users, `proc_pidinfo` works only for the superuser: these processes are
/// listed without figures.
struct LibprocReader: ProcessReader {
  private var users = UserNames()
  private let nanosecondsPerTick: Double

  init() {
    var timebase = mach_timebase_info_data_t()
    let isKnown = mach_timebase_info(&timebase) == KERN_SUCCESS && timebase.denom != 0
    nanosecondsPerTick = isKnown ? Double(timebase.numer) / Double(timebase.denom) : 1
  }

  mutating func processes() throws -> [ListedProcess] {
    let size = proc_listallpids(nil, 0)
    // Room for processes that start between the two calls.
    var numbers = [pid_t](repeating: 0, count: max(0, Int(size)) + 64)
    let count = proc_listallpids(&numbers, Int32(numbers.count * MemoryLayout<pid_t>.stride))
    return numbers.prefix(max(0, Int(count))).compactMap { number in
      var info = proc_bsdshortinfo()
      guard ask(number, PROC_PIDT_SHORTBSDINFO, &info) else { return nil }
      return ListedProcess(
        id: ProcessID(number: number, start: start(of: number)),
        parent: Int32(clamping: info.pbsi_ppid), user: users.name(of: info.pbsi_uid),
        command: name(of: number))
    }
  }

  mutating func processorTime(of process: ProcessID) -> Duration? {
    var info = proc_taskinfo()
    guard ask(process.number, PROC_PIDTASKINFO, &info) else { return nil }
    let ticks = Double(info.pti_total_user) + Double(info.pti_total_system)
    return .nanoseconds(Int64(ticks * nanosecondsPerTick))
  }

  mutating func residentMemory(of process: ProcessID) -> Int? {
    var info = proc_taskinfo()
    guard ask(process.number, PROC_PIDTASKINFO, &info) else { return nil }
    return Int(clamping: info.pti_resident_size)
  }

  mutating func machineMemory() -> MachineMemory? {
    // sysctl returns the size of the memory, not how much is in use.
    nil
  }

  /// The start of a process, in microseconds; 0 if the system does not return it.
  private func start(of number: pid_t) -> UInt64 {
    var info = proc_bsdinfo()
    guard ask(number, PROC_PIDTBSDINFO, &info) else { return 0 }
    return info.pbi_start_tvsec &* 1_000_000 &+ info.pbi_start_tvusec
  }

  private func name(of number: pid_t) -> String {
    var buffer = [UInt8](repeating: 0, count: Int(4 * MAXPATHLEN))
    var length = proc_pidpath(number, &buffer, UInt32(buffer.count))
    if length <= 0 { length = proc_name(number, &buffer, UInt32(buffer.count)) }
    return length > 0 ? String(decoding: buffer.prefix(Int(length)), as: UTF8.self) : "(\(number))"
  }

  private func ask<Info>(_ number: pid_t, _ flavor: Int32, _ info: inout Info) -> Bool {
    let size = Int32(MemoryLayout<Info>.size)
    return proc_pidinfo(number, flavor, 0, &info, size) == size
  }
}
#endif
