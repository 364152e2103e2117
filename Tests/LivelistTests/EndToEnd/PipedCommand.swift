import Foundation

/// A command between pipes: a test writes its input while it reads its output.
final class PipedCommand {
  struct Failure: Error {
    let reason: String
  }

  private let process = Process()
  private let input: Pipe
  private let output: Pipe
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts the command.
  ///
  /// - Parameter input: Where it reads: the output of another one, or what the test writes.
  init(_ arguments: [String], reading input: Pipe = Pipe(), writing output: Pipe = Pipe()) throws {
    (self.input, self.output) = (input, output)
    process.executableURL = try BuiltCommand.executable()
    process.arguments = arguments
    (process.standardInput, process.standardOutput) = (input, output)
    process.terminationHandler = { [hasEnded] _ in hasEnded.signal() }
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  func write(_ text: String) throws {
    // What is written for nobody would end these tests.
    guard process.isRunning else { throw Failure(reason: "ended before it was given:\n\(text)") }
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  /// Closes its input.
  func close() throws { try input.fileHandleForWriting.close() }

  /// Reads on until what has been read is as expected.
  func read(until isExpected: (String) -> Bool) throws -> String {
    var text = ""
    let handle = output.fileHandleForReading
    while !isExpected(text) {
      var request = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&request, 1, Int32(BuiltCommand.longest.components.seconds * 1000))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(reason: "nothing more came after:\n\(text)") }
      let piece = handle.availableData
      guard !piece.isEmpty else { throw Failure(reason: "ended after:\n\(text)") }
      text += String(decoding: piece, as: UTF8.self)
    }
    return text
  }

  /// Waits for its end, and returns its status.
  func end() throws -> Int32 {
    let time = DispatchTime.now() + .seconds(Int(BuiltCommand.longest.components.seconds))
    guard hasEnded.wait(timeout: time) == .success else {
      throw Failure(reason: "does not end")
    }
    return process.terminationStatus
  }
}
