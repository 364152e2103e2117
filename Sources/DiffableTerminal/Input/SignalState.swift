import Foundation
import Synchronization

/// What the signal handler uses.
///
/// A handler may interrupt anything, in any thread. So it takes no lock and allocates nothing: what it
/// reads was written before it was installed, or is atomic.
enum SignalState {
  /// The pipe through which signals are reported; it lives as long as the process.
  private static let pipe: (reader: Int32, writer: Int32) = {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
  }()

  /// The address of the former actions, by the number of the signal.
  ///
  /// An action is written before the handler is installed for its signal, and not again while it is.
  private static let formerActions: UInt = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: signalCount)
    actions.initialize(repeating: sigaction(), count: signalCount)
    return UInt(bitPattern: actions)
  }()
  private static let signalCount = 128

  /// Whether a signal has asked the program to end.
  private static let isEnding = Atomic(false)

  /// Whether a signal has asked the program to end that would end it at once the next time.
  static var hasBeenAskedToEnd: Bool { isEnding.load(ordering: .sequentiallyConsistent) }

  /// The descriptor from which the reported numbers are read.
  static var reader: Int32 { pipe.reader }

  /// Prepares everything that is made when it is used first, as a handler must not do that.
  static func begin() {
    _ = (pipe, formerActions, TerminalRescue.isReady)
    isEnding.store(false, ordering: .sequentiallyConsistent)
    var rest: UInt8 = 0
    while read(pipe.reader, &rest, 1) > 0 {}
  }

  static func setFormerAction(_ action: sigaction, of number: Int32) {
    formerAction(of: number)?.pointee = action
  }

  /// Gives a signal the effect that it had before; a handler may call this.
  static func restoreFormerAction(of number: Int32) {
    sigaction(number, formerAction(of: number), nil)
  }

  private static func formerAction(of number: Int32) -> UnsafeMutablePointer<sigaction>? {
    UnsafeMutablePointer<sigaction>(bitPattern: formerActions)?.advanced(by: Int(number))
  }

  /// Handles a signal, inside a handler.
  ///
  /// - Parameter isFault: Whether the instruction that was interrupted has caused the signal. It is
  ///   executed again when the handler returns.
  static func handle(_ number: Int32, isFault: Bool) {
    let code = errno
    defer { errno = code }
    if isReported(number) {
      var byte = UInt8(truncatingIfNeeded: number)
      // If the pipe is full, as many are reported as a program can need.
      _ = write(pipe.writer, &byte, 1)
    } else {
      TerminalRescue.perform()
      restoreFormerAction(of: number)
      // It waits until the handler returns.
      if !isFault { raise(number) }
    }
  }

  private static func isReported(_ number: Int32) -> Bool {
    switch number {
    case SIGWINCH, SIGTSTP, SIGCONT: true
    // The shell and the system both send it when a terminal is closed.
    case SIGHUP: true
    case SIGINT, SIGTERM, SIGQUIT:
      !isEnding.exchange(true, ordering: .sequentiallyConsistent)
    default: false
    }
  }
}

extension sigaction {
  /// The action by which signals are caught.
  ///
  /// It runs on the alternate stack if there is one: the stack may be what is exhausted. What continues a program
  /// waits until other handlers have run, so that what asks a stopped program to end is reported before.
  static var ours: sigaction {
    var action = sigaction()
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK
    sigaddset(&action.sa_mask, SIGCONT)
    #if canImport(Darwin)
    action.__sigaction_u.__sa_sigaction = catchSignal
    #elseif canImport(Musl)
    action.__sa_handler.sa_sigaction = catchSignal
    #else
    action.__sigaction_handler.sa_sigaction = catchSignal
    #endif
    return action
  }

  /// The address of the handler; 0 stands for the default effect, and 1 for none.
  private var address: Int {
    #if canImport(Darwin)
    unsafeBitCast(__sigaction_u.__sa_sigaction, to: Int.self)
    #elseif canImport(Musl)
    unsafeBitCast(__sa_handler.sa_sigaction, to: Int.self)
    #else
    unsafeBitCast(__sigaction_handler.sa_sigaction, to: Int.self)
    #endif
  }

  var isDefault: Bool { address == 0 }
  var isIgnoring: Bool { address == 1 }
  var isOurs: Bool { address == sigaction.ours.address }
}

private func catchSignal(
  _ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
  SignalState.handle(
    number, isFault: info.map { isFault(number, code: $0.pointee.si_code) } ?? false)
}

/// Whether the interrupted instruction has caused a signal, and will cause it again.
private func isFault(_ number: Int32, code: Int32) -> Bool {
  switch number {
  // Codes outside this range say that a program has sent it.
  case SIGILL, SIGBUS, SIGFPE, SIGSEGV: (1..<0x1_0000).contains(code)
  default: false
  }
}
