import DiffableTerminal
import Foundation
import TerminalSupport

@testable import livelist

/// A command in a terminal of its own, which is its controlling terminal: what is typed there sends
/// signals, and a new size is told to it.
final class PseudoTerminal {
  struct Failure: Error {
    let reason: String
    var code = errno
  }

  /// How the command ended.
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  /// What is to be seen.
  private(set) var screen: TerminalEmulator
  /// Everything the command has sent.
  private(set) var sent: [UInt8] = []
  private let controller: Int32
  /// Held open, so that its modes can be looked at after the command has ended.
  private let device: Int32
  /// Its other end belongs to the command alone: it closes when the command ends.
  private let lifeline: Int32
  let process: pid_t
  private var hasEnded = false

  /// - Parameter script: A script that a shell with job control runs; the command is `"$0" "$@"`.
  init(
    _ arguments: [String], in script: String? = nil, size: TerminalSize,
    environment: [String: String] = [:]
  ) throws {
    // A program takes a terminal without columns or rows for a standard one.
    screen = TerminalEmulator(size: min(size.columns, size.rows) > 0 ? size : .standard)
    var descriptors: (controller: Int32, device: Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 1024)
    var window = PseudoTerminal.window(size)
    guard openpty(&descriptors.controller, &descriptors.device, &name, nil, &window) == 0 else {
      throw Failure(reason: "no pseudo-terminal")
    }
    (controller, device) = descriptors
    for descriptor in [controller, device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(reason: "no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    lifeline = ends[0]
    process = try PseudoTerminal.spawn(
      arguments, in: script, device: path, lifeline: ends[1],
      environment: ["TERM": "xterm-256color"].merging(environment) { $1 })
  }

  deinit {
    if !hasEnded {
      kill(process, SIGKILL)
      var status: Int32 = 0
      waitpid(process, &status, 0)
    }
    for descriptor in [controller, device, lifeline] { close(descriptor) }
  }

  private static func window(_ size: TerminalSize) -> winsize {
    winsize(ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
  }

  /// `POSIX_SPAWN_SETSID`, which Swift does not import from glibc and musl; Apple's systems can
  /// also close what is not for the command.
  private static var newSession: Int16 {
    #if canImport(Darwin)
    Int16(POSIX_SPAWN_SETSID | POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
    0x80
    #endif
  }

  /// Starts the command as the leader of a session whose terminal is the device: it is the first
  /// one that the new session opens.
  private static func spawn(
    _ arguments: [String], in script: String?, device: String, lifeline: Int32,
    environment: [String: String]
  ) throws -> pid_t {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, device, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    posix_spawn_file_actions_adddup2(&actions, lifeline, 3)
    #if !canImport(Darwin)
    // Pipes of other tests would stay open as long as this command runs.
    for descriptor in 4..<min(getdtablesize(), 1024) {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    #endif
    posix_spawnattr_setflags(&attributes, PseudoTerminal.newSession)
    let shell = script.map { ["/bin/sh", "-m", "-c", $0] } ?? []
    let line = shell + [try BuiltCommand.executable().path] + arguments
    let path = line[0]
    var words = line.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw Failure(reason: "cannot start", code: code) }
    return process
  }

  /// The process group that the terminal belongs to: of the command, or of the shell.
  var foreground: pid_t { tcgetpgrp(controller) }

  /// Whether the terminal takes nothing at present, or a program is writing to it.
  var isFull: Bool {
    var request = pollfd(fd: device, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, 0) == 0
  }

  /// Whether the command has ended; what it has sent need not have been read.
  var isOver: Bool {
    var request = pollfd(fd: lifeline, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  /// Whether the terminal gives a program whole lines and shows what is typed.
  var isCooked: Bool {
    var modes = termios()
    guard tcgetattr(device, &modes) == 0 else { return false }
    let flags = tcflag_t(ICANON) | tcflag_t(ECHO)
    return modes.c_lflag & flags == flags
  }

  /// Whether keys that send signals leave what has not been shown yet, see `Terminal.enter()`.
  var keepsOutput: Bool {
    var modes = termios()
    return tcgetattr(device, &modes) == 0 && modes.c_lflag & tcflag_t(NOFLSH) != 0
  }

  func type(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard write(controller, bytes, bytes.count) == bytes.count else {
      throw Failure(reason: "cannot type")
    }
  }

  func resize(to size: TerminalSize) throws {
    screen.resize(to: size)
    var window = PseudoTerminal.window(size)
    guard ioctl(controller, UInt(TIOCSWINSZ), &window) == 0 else {
      throw Failure(reason: "cannot set the size")
    }
  }

  /// Reads until the screen is as expected.
  func read(until isExpected: (TerminalEmulator) -> Bool) throws {
    let start = ContinuousClock.now
    while !isExpected(screen) {
      try checkTime(since: start, "never as expected")
      guard try readMore() else {
        throw Failure(reason: "ended before, showing:\n\(screen.text)")
      }
    }
  }

  /// Quits by a key.
  func quit() throws -> End {
    try type("q")
    return try readToEnd()
  }

  /// Reads what is left, and waits for the command's end.
  func readToEnd() throws -> End {
    let start = ContinuousClock.now
    // It may go on writing.
    while try readMore() { try checkTime(since: start, "does not end") }
    var status: Int32 = 0
    guard waitpid(process, &status, 0) == process else { throw Failure(reason: "no such process") }
    hasEnded = true
    let signal = status & 0x7F
    return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
  }

  private func checkTime(since start: ContinuousClock.Instant, _ reason: String) throws {
    guard start.duration(to: .now) < BuiltCommand.longest else {
      throw Failure(reason: "\(reason), showing:\n\(screen.text)")
    }
  }

  /// Reads what the command has sent, waiting for some; `false` when it has ended and all is read.
  private func readMore() throws -> Bool {
    var requests = [
      pollfd(fd: controller, events: Int16(POLLIN), revents: 0),
      pollfd(fd: lifeline, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&requests, 2, Int32(BuiltCommand.longest.components.seconds * 1000))
    if count < 0, errno == EINTR { return true }
    guard count > 0 else { throw Failure(reason: "nothing more came, showing:\n\(screen.text)") }
    guard requests[0].revents & Int16(POLLIN) != 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let length = Foundation.read(controller, &buffer, buffer.count)
    guard length > 0 else { return false }
    sent += buffer[..<length]
    screen.feed(Array(buffer[..<length]))
    return true
  }
}
