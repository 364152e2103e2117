import Foundation

/// Writes to a file descriptor, without a buffer.
public struct FileOutput: TerminalWriter {
  /// The file descriptor.
  let descriptor: Int32

  /// The standard output of the program.
  public static let standardOutput = FileOutput(descriptor: STDOUT_FILENO)
  /// The standard error of the program.
  public static let standardError = FileOutput(descriptor: STDERR_FILENO)

  /// Writes all bytes, even if the system accepts only some of them at a time.
  ///
  /// - Throws: ``OutputError`` if that is no longer possible; some bytes may have been written by
  ///   then.
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

  /// Returns when writing can continue.
  private func recover(from error: Int32) throws(OutputError) {
    switch error {
    case EINTR:
      return
    case EAGAIN:
      // Another process that shares the descriptor has made it non-blocking.
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&request, 1, -1)
    case EPIPE:
      throw .closed
    case EIO where isDevice:
      // The terminal is gone. For a file it is the disk that fails.
      throw .closed
    default:
      throw .failed(code: error)
    }
  }

  private var isDevice: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
  }
}

/// Why nothing more can be written.
public enum OutputError: Error, Equatable {
  /// The other end was closed: the pipe is broken, or the terminal is gone.
  case closed
  /// The system reported an error, with this number.
  case failed(code: Int32)
}

extension OutputError: CustomStringConvertible {
  /// A short description of the error.
  public var description: String {
    switch self {
    case .closed: "the reader has closed the output"
    case .failed(let code): "cannot write: \(String(cString: strerror(code)))"
    }
  }
}
