import Foundation

/// Writes to a file descriptor, without a buffer in between.
public struct FileOutput: TerminalWriter {
  /// The file descriptor.
  public let descriptor: Int32

  /// Where a program writes what it was asked for.
  public static let standardOutput = FileOutput(descriptor: STDOUT_FILENO)
  /// Where a program writes what went wrong.
  public static let standardError = FileOutput(descriptor: STDERR_FILENO)

  /// Writes all bytes, however often the system takes only some of them.
  ///
  /// - Throws: ``OutputError`` if that is not possible any more; some bytes may be written by then.
  public func write(_ bytes: [UInt8]) throws(OutputError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { rest in
        Foundation.write(descriptor, rest.baseAddress, rest.count)
      }
      if count >= 0 {
        written += count
      } else {
        try recover(from: errno)
      }
    }
  }

  /// Returns when writing can go on.
  private func recover(from error: Int32) throws(OutputError) {
    switch error {
    case EINTR:
      return
    case EAGAIN:
      // Whoever shares the descriptor with us made it non-blocking.
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&request, 1, -1)
    case EPIPE, EIO:
      throw .closed
    default:
      throw .failed(code: error)
    }
  }
}

/// Why nothing more can be written.
public enum OutputError: Error, Equatable {
  /// Nobody reads any more: the pipe is broken, or the terminal is gone.
  case closed
  /// The system refused, with its error number.
  case failed(code: Int32)
}

extension OutputError: CustomStringConvertible {
  /// What happened, in a few words.
  public var description: String {
    switch self {
    case .closed: "nobody reads the output any more"
    case .failed(let code): "cannot write: \(String(cString: strerror(code)))"
    }
  }
}
