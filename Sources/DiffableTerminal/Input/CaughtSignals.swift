import Foundation
import Synchronization

/// The signals of this process while a program has the terminal.
///
/// - Signals that tell something are reported through a pipe, and a program acts on them.
/// - Signals that ask the program to end are reported once. If the user presses Ctrl-C again, the
///   program is ended at once.
/// - Signals that end a program at once, such as those of a crash, first restore the terminal. Then
///   they have the effect that they had before.
///
/// Signals that the program was started with as ignored stay ignored.
enum CaughtSignals {
  /// Signals that are reported.
  private static let news = [SIGWINCH, SIGTSTP, SIGCONT]
  /// Signals that ask the program to end.
  static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  /// Signals of a crash; the runtime may have handlers that print where it happened.
  private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]
  /// Other signals that end a program unless it has a handler.
  private static let others: [Int32] = {
    let everywhere = [
      SIGALRM, SIGUSR1, SIGUSR2, SIGPIPE, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ,
    ]
    #if os(Linux)
    // The last ones have no meaning. The C library keeps some of them for itself.
    let meaningless = __libc_current_sigrtmin()...__libc_current_sigrtmax()
    return everywhere + [SIGIO, SIGPWR, SIGSTKFLT] + meaningless
    #else
    return everywhere
    #endif
  }()

  /// The signals that are caught now.
  private static let caught = Mutex<[Int32]>([])

  /// Begins to catch signals; returns the descriptor from which the reported numbers are read, one
  /// byte each.
  static func begin() -> Int32 {
    SignalState.begin()
    caught.withLock { caught in
      for number in news + endings + crashes + others {
        var former = sigaction()
        guard sigaction(number, nil, &former) == 0, !former.isIgnoring, !former.isOurs,
          former.isDefault || !others.contains(number)
        else { continue }
        SignalState.setFormerAction(former, of: number)
        var own = sigaction.ours
        if sigaction(number, &own, nil) == 0 { caught.append(number) }
      }
    }
    return SignalState.reader
  }

  /// Gives the caught signals the effects that they had before.
  static func end() {
    caught.withLock { caught in
      for number in caught {
        var present = sigaction()
        // The program may have installed a handler of its own since.
        guard sigaction(number, nil, &present) == 0, present.isOurs else { continue }
        SignalState.restoreFormerAction(of: number)
      }
      caught = []
    }
  }

  /// Stops the program as Ctrl-Z does where nothing catches it; returns when it is continued.
  ///
  /// The terminal must be restored. The program can also be ended while it is stopped. Where no shell
  /// could continue it, it is not stopped, and neither is one that was asked to end.
  static func stopProgram() {
    // A signal for the process may stop it later, when the caller has gone on. One for this thread is
    // delivered before `raise` returns.
    withDefaultEffect(of: [SIGTSTP, SIGCONT] + endings) {
      // A signal that was caught before would not end it then.
      if !SignalState.hasBeenAskedToEnd { _ = raise(SIGTSTP) }
    }
  }

  /// Runs a function while some signals have their default effect, also in this thread.
  ///
  /// Threads of a pool block most signals. The system would then let a program change a terminal that
  /// belongs to another one.
  static func withDefaultEffect<Result, Failure>(
    of numbers: [Int32], _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var formerActions: [(number: Int32, action: sigaction)] = []
    var signals = sigset_t()
    var formerMask = sigset_t()
    sigemptyset(&signals)
    for number in numbers {
      var former = sigaction()
      guard sigaction(number, nil, &former) == 0, !former.isIgnoring else { continue }
      var plain = sigaction()
      sigaction(number, &plain, nil)
      formerActions.append((number, former))
      sigaddset(&signals, number)
    }
    pthread_sigmask(SIG_UNBLOCK, &signals, &formerMask)
    defer {
      pthread_sigmask(SIG_SETMASK, &formerMask, nil)
      for (number, former) in formerActions {
        var action = former
        sigaction(number, &action, nil)
      }
    }
    return try body()
  }
}
