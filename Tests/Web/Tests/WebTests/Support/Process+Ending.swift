import Foundation

extension Process {
  /// Ends the process, whatever it does about that.
  ///
  /// A process blocks the signals that the thread which started it does, and the threads of Swift block nearly
  /// all.
  func end() {
    guard isRunning else { return }
    kill(processIdentifier, SIGKILL)
    waitUntilExit()
  }
}
