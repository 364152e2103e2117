/// The useful part of `/proc/PID/stat` (proc_pid_stat(5)).
struct ProcStat: Equatable {
  /// The name of the program, at most 15 bytes.
  ///
  /// It may contain any characters, even spaces and parentheses.
  var name: String
  /// The total time in user and kernel mode, in clock ticks.
  var processorTicks: UInt64
  /// The start of the process, in clock ticks since boot.
  var start: UInt64
  /// The number of the parent.
  var parent: Int32
  /// Whether it runs only in the kernel: `PF_KTHREAD` in the flags, since Linux 2.6.27.
  var isKernelThread: Bool

  /// Parses the only line of the file; `nil` if it is invalid.
  init?(_ bytes: some BidirectionalCollection<UInt8>) {
    // The name is in parentheses and may contain parentheses: the last one closes it.
    guard let open = bytes.firstIndex(of: UInt8(ascii: "(")),
      let close = bytes.lastIndex(of: UInt8(ascii: ")")), open < close
    else { return nil }
    name = String(decoding: bytes[bytes.index(after: open)..<close], as: UTF8.self)
    // Field 3 of the manual page is the first one after the name.
    let fields = bytes[bytes.index(after: close)...].split(separator: UInt8(ascii: " "))
    guard fields.count >= 20, let parent = Int32(ascii: fields[1]),
      let flags = UInt64(ascii: fields[6]),
      let user = UInt64(ascii: fields[11]),
      let system = UInt64(ascii: fields[12]), let start = UInt64(ascii: fields[19])
    else { return nil }
    let (ticks, overflow) = user.addingReportingOverflow(system)
    guard !overflow else { return nil }
    processorTicks = ticks
    self.start = start
    self.parent = parent
    isKernelThread = flags & 0x20_0000 != 0
  }
}

/// Parses the useful parts of other files in `/proc`.
enum ProcText {
  /// The resident pages in `/proc/PID/statm`: the second number.
  static func residentPages(inStatm bytes: some Collection<UInt8>) -> Int? {
    let fields = bytes.split(separator: UInt8(ascii: " "), maxSplits: 2)
    return fields.count >= 2 ? Int(ascii: fields[1]) : nil
  }

  /// The command line in `/proc/PID/cmdline`, whose arguments each end with a zero byte.
  ///
  /// It is `nil` if it is empty, as for kernel threads.
  static func command(inCmdline bytes: some BidirectionalCollection<UInt8>) -> String? {
    guard let last = bytes.lastIndex(where: { $0 != 0 && $0 != UInt8(ascii: " ") }) else {
      return nil
    }
    return String(
      decoding: bytes[...last].map { $0 == 0 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }

  /// The memory of the machine in `/proc/meminfo`, whose numbers are KiB.
  static func memory(inMeminfo bytes: some Collection<UInt8>) -> MachineMemory? {
    var values: [String: Int] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: true)
      guard words.count >= 2, let value = Int(ascii: words[1]) else { continue }
      values[String(decoding: words[0], as: UTF8.self)] = value
    }
    guard let total = values["MemTotal:"], let available = values["MemAvailable:"],
      (0...(Int.max / 1024)).contains(total), (0...total).contains(available)
    else { return nil }
    return MachineMemory(total: total * 1024, used: (total - available) * 1024)
  }
}

extension FixedWidthInteger {
  /// Parses a decimal number from ASCII digits, without making a string.
  init?(ascii bytes: some Collection<UInt8>) {
    guard !bytes.isEmpty else { return nil }
    var value: Self = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Self(byte - UInt8(ascii: "0")))
      guard !overflow, !carry else { return nil }
      value = sum
    }
    self = value
  }
}
