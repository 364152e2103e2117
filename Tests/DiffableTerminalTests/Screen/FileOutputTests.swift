#if os(Linux) || os(macOS)
import Foundation
import TestScope
import Testing

@testable import DiffableTerminal

@Suite("Writing to descriptors", .deadline) struct FileOutputTests {
  struct Failure: Error {}

  /// A descriptor that is closed when the last reference to it is gone.
  private final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) throws {
      guard number >= 0 else { throw Failure() }
      self.number = number
    }

    deinit { close(number) }

    func write(_ bytes: [UInt8]) throws(OutputError) {
      try FileOutput(descriptor: number).write(bytes)
    }
  }

  private static func pipe() throws -> (reader: Descriptor, writer: Descriptor) {
    // Otherwise the system ends the tests when a pipe is broken.
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { throw Failure() }
    return (try Descriptor(ends[0]), try Descriptor(ends[1]))
  }

  @Test("A pipe without a reader is closed, and so is a terminal that is gone")
  func closed() async throws {
    let broken = try Self.pipe().writer
    try await expectClosed(broken)
    var (controller, device): (Int32, Int32) = (-1, -1)
    guard openpty(&controller, &device, nil, nil, nil) == 0 else { throw Failure() }
    let terminal = try Descriptor(device)
    close(controller)
    try await expectClosed(terminal)
  }

  /// A process that another test is about to start may hold the other end for a moment.
  private func expectClosed(_ descriptor: Descriptor) async throws {
    try await wait {
      do throws(OutputError) {
        try descriptor.write([1])
        return false
      } catch {
        #expect(error == .closed)
        return true
      }
    }
  }

  #if os(Linux)
  @Test("A file on a disk that fails, or that is full, is not closed")
  func failed() throws {
    // Nothing is at the address zero, so it cannot be written to.
    for (path, code) in [("/proc/self/mem", EIO), ("/dev/full", ENOSPC)] {
      let file = try Descriptor(open(path, O_WRONLY | O_CLOEXEC))
      #expect(throws: OutputError.failed(code: code)) { try file.write([1]) }
    }
  }
  #endif

  @Test("All bytes are written, in their order, to a pipe that does not wait")
  func nonBlocking() async throws {
    let (reader, writer) = try Self.pipe()
    _ = fcntl(writer.number, F_SETFL, O_NONBLOCK)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 >> 8) }
    DispatchQueue.global().async {
      try? writer.write(bytes)
    }
    let found = try await ended {
      var (found, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
      while found.count < bytes.count {
        let count = read(reader.number, &buffer, buffer.count)
        guard count > 0 else { throw Failure() }
        found += buffer[..<count]
      }
      return found
    }
    #expect(found == bytes)
  }
}
#endif
