import Foundation
import Synchronization

/// Restores the terminal of a program that a signal ends at once, or that calls `exit`.
///
/// A program has one terminal at a time.
enum TerminalRescue {
  /// What has to be restored.
  private struct Record {
    let input: Int32
    /// The descriptor of the screen; negative if something else than a file shows it.
    let screen: Int32
    let modes: termios
  }

  /// The address of the record, which is written only while nothing has to be restored.
  private static let record = UInt(
    bitPattern: UnsafeMutablePointer<Record>.allocate(capacity: 1))
  /// The thread that restores the terminal; ``nobody`` if that has been done, and ``anybody`` if it has not.
  private static let rescuer = Atomic<UInt>(0)
  /// Whether `exit` restores the terminal; asking for the first time sees to it.
  private static let isDoneAtExit = atexit { TerminalRescue.perform() } == 0

  /// The thread that writes to the screen; 0 if none does.
  private static let drawingThread = Atomic<UInt>(0)

  /// Whether there is a terminal to be restored.
  static var isArmed: Bool { rescuer.load(ordering: .sequentiallyConsistent) == anybody }

  // No thread has these numbers.
  private static var nobody: UInt { 0 }
  private static var anybody: UInt { 1 }

  /// Calls a function that writes to the screen, unless the terminal has been restored.
  ///
  /// A rescue by another thread waits for it: what is written later would be left on the screen. A program
  /// draws from one thread at a time.
  static func draw(_ write: () throws(OutputError) -> Void) throws(OutputError) {
    drawingThread.store(thisThread, ordering: .sequentiallyConsistent)
    defer { drawingThread.store(0, ordering: .sequentiallyConsistent) }
    if isArmed { try write() }
  }

  // A number on some systems, and an address on others.
  private static var thisThread: UInt {
    withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
  }

  /// Whether everything that a signal handler uses exists; asking makes it.
  static var isReady: Bool {
    _ = (isArmed, isAnotherThreadDrawing)
    return record != 0
  }

  /// Records that a terminal is to be restored.
  static func arm(input: Int32, screen: Int32, modes: termios) {
    disarm()
    _ = isDoneAtExit
    UnsafeMutablePointer<Record>(bitPattern: record)?.initialize(
      to: Record(input: input, screen: screen, modes: modes))
    rescuer.store(anybody, ordering: .sequentiallyConsistent)
  }

  /// Records that nothing has to be restored any more.
  static func disarm() { take(for: nobody) }

  /// Restores the terminal; for signal handlers, too, so it takes no lock and allocates nothing.
  ///
  /// Its caller may end the program. So it does not return while another thread restores the terminal. If it has
  /// interrupted that in this thread, it begins anew.
  static func perform() {
    let (thread, former) = (thisThread, take(for: thisThread))
    guard former != anybody, former != thread else {
      rescue()
      return rescuer.store(nobody, ordering: .sequentiallyConsistent)
    }
    // Longer than a rescue takes.
    var patience = 2_000
    while patience > 0, former != nobody,
      rescuer.load(ordering: .sequentiallyConsistent) == former
    {
      poll(nil, 0, 1)
      patience -= 1
    }
  }

  /// Records who restores the terminal if it is to be restored; returns who did so far.
  @discardableResult
  private static func take(for thread: UInt) -> UInt {
    rescuer.compareExchange(
      expected: anybody, desired: thread, ordering: .sequentiallyConsistent
    ).original
  }

  private static func rescue() {
    guard let record = UnsafeMutablePointer<Record>(bitPattern: record)?.pointee else { return }
    let code = TerminalCode.leaveBytes
    // A terminal that takes nothing any longer must not keep the program for more than a second.
    var patience = 1_000
    while patience > 0, isAnotherThreadDrawing || record.screen >= 0 && !takesBytes(record.screen) {
      poll(nil, 0, 1)
      patience -= 1
    }
    if record.screen >= 0, takesBytes(record.screen) {
      _ = write(record.screen, code.utf8Start, code.utf8CodeUnitCount)
    }
    restore(record.modes, of: record.input, TCSANOW)
  }

  /// Whether writing does not wait, or fails.
  private static func takesBytes(_ screen: Int32) -> Bool {
    var request = pollfd(fd: screen, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  /// A thread that a signal interrupts while it draws does not go on.
  private static var isAnotherThreadDrawing: Bool {
    let thread = drawingThread.load(ordering: .sequentiallyConsistent)
    return thread != 0 && thread != thisThread
  }

  /// Sets the original modes of a terminal, unless it belongs to another program now; for signal handlers, too.
  ///
  /// A program that a signal has stopped which cannot be caught may be asked to end in the background of a shell.
  /// The shell has set the modes then, and the system would stop the program here instead of letting it end.
  static func restore(_ modes: termios, of input: Int32, _ time: Int32) {
    guard isOwn(input) else { return }
    var modes = modes
    // A handler of the program's may interrupt it while it waits for what has been written.
    while tcsetattr(input, time, &modes) != 0, errno == EINTR {}
  }

  /// Whether a terminal belongs to this program, and not to another one of the same shell; for signal handlers, too.
  static func isOwn(_ input: Int32) -> Bool {
    let owner = tcgetpgrp(input)
    // It is negative if no shell shares the terminal out.
    return owner < 0 || owner == getpgrp()
  }
}
