import Foundation
import Testing

@testable import livelist

@Suite("Reader of /proc") struct ProcReaderTests {
  /// A folder that looks like `/proc`, gone at the end of the test.
  private final class Root {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "livelist-\(UUID().uuidString)", directoryHint: .isDirectory)

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ text: String, to path: String) throws {
      let file = url.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }

    func addProcess(_ number: Int, name: String, cmdline: String?, ticks: Int, start: Int) throws {
      try write(
        "\(number) (\(name)) S 1 1 1 0 -1 0 0 0 0 0 \(ticks) 0 0 0 20 0 1 0 \(start) 0 0\n",
        to: "\(number)/stat")
      try write("900 25 1 1 0 1 0\n", to: "\(number)/statm")
      if let cmdline { try write(cmdline, to: "\(number)/cmdline") }
    }

    func remove(_ path: String) throws {
      try FileManager.default.removeItem(at: url.appending(path: path))
    }
  }

  @Test("finds the processes, and nothing else, with their names and figures")
  func processes() throws {
    let root = try Root()
    try root.addProcess(7, name: "swift", cmdline: "swift\u{0}build\u{0}", ticks: 50, start: 900)
    try root.addProcess(8, name: "kworker/0", cmdline: "", ticks: 0, start: 3)
    try root.write("x", to: "meminfo")
    try root.write("x", to: "sys/kernel")
    // Gone between listing and reading: a folder without files.
    try root.write("x", to: "9/other")
    var reader = ProcReader(root: root.url.path)
    let user = try #require(NSUserName() as String?)
    let processes = try reader.processes().sorted { $0.id.number < $1.id.number }
    let (seven, eight) = (ProcessID(number: 7, start: 900), ProcessID(number: 8, start: 3))
    #expect(
      processes == [
        ListedProcess(id: seven, parent: 1, user: user, command: "swift build"),
        ListedProcess(id: eight, parent: 1, user: user, command: "[kworker/0]"),
      ])
    let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    #expect(reader.processorTime(of: seven) == .seconds(50 / ticks))
    #expect(reader.residentMemory(of: seven) == 25 * sysconf(Int32(_SC_PAGESIZE)))
    #expect(reader.machineMemory() == nil)
  }

  @Test("has nothing to say about a process that has gone, or whose number has a new one")
  func gone() throws {
    let root = try Root()
    try root.addProcess(7, name: "a", cmdline: "a\u{0}", ticks: 50, start: 900)
    var reader = ProcReader(root: root.url.path)
    let old = ProcessID(number: 7, start: 900)
    #expect(reader.processorTime(of: old) != nil)
    try root.addProcess(7, name: "b", cmdline: "b\u{0}", ticks: 1, start: 1000)
    #expect(reader.processorTime(of: old) == nil)
    try root.remove("7")
    #expect(reader.residentMemory(of: old) == nil)
    #expect(try reader.processes() == [])
  }

  @Test("sees that a process has started another program")
  func exec() throws {
    let root = try Root()
    try root.addProcess(7, name: "sh", cmdline: "sh\u{0}", ticks: 0, start: 1)
    var reader = ProcReader(root: root.url.path)
    #expect(try reader.processes().map(\.command) == ["sh"])
    try root.addProcess(7, name: "ls", cmdline: "ls\u{0}-l\u{0}", ticks: 0, start: 1)
    #expect(try reader.processes().map(\.command) == ["ls -l"])
  }

  @Test("takes a command line of any length and content")
  func hostileNames() throws {
    let root = try Root()
    let long = String(repeating: "x", count: 100_000)
    try root.addProcess(7, name: "long", cmdline: long, ticks: 0, start: 1)
    try root.addProcess(8, name: "esc", cmdline: "\u{1B}[2J\nq\u{0}", ticks: 0, start: 1)
    var reader = ProcReader(root: root.url.path)
    let commands = try reader.processes().sorted { $0.id.number < $1.id.number }.map(\.command)
    #expect(commands == [String(repeating: "x", count: 4096), "\u{1B}[2J\nq"])
  }

  @Test("says when there is no such file system")
  func missing() {
    var reader = ProcReader(root: "/nonexistent/proc")
    #expect(throws: UnreadableDirectory.self) { try reader.processes() }
  }

  #if os(Linux)
  @Test("finds this process in the real one")
  func thisProcess() throws {
    var reader = ProcReader()
    let processes = try reader.processes()
    let own = try #require(processes.first { $0.id.number == getpid() })
    let (time, resident) = (reader.processorTime(of: own.id), reader.residentMemory(of: own.id))
    let machine = reader.machineMemory()
    #expect(try #require(time) >= .zero)
    #expect(try #require(resident) > 0)
    #expect(try #require(machine).used > 0)
  }
  #endif
}
