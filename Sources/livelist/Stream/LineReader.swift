import Foundation

/// Reads lines of any length from a source of bytes, each byte once.
///
/// Memory holds one line and what was read together with its end. The last line needs no line feed.
struct LineReader {
  /// Fills memory and returns the number of bytes; 0 at the end.
  typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

  private static let chunkSize = 1 << 16

  private let source: Source
  /// Bytes that were read but not returned yet begin at `start`.
  private var buffer: [UInt8] = []
  private var start = 0
  /// Before this index there is no line feed.
  private var searched = 0
  private var isAtEnd = false

  init(source: @escaping Source) {
    self.source = source
  }

  /// Reads a file descriptor, waiting for more input if necessary.
  init(descriptor: Int32) {
    self.init { memory in
      while true {
        let count = read(descriptor, memory.baseAddress, memory.count)
        if count >= 0 { return count }
        let error = errno
        if error == EINTR { continue }
        guard error == EAGAIN else { throw InputError(code: error) }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&request, 1, -1)
      }
    }
  }

  /// The next line, without its line feed; `nil` at the end.
  mutating func next() throws -> ArraySlice<UInt8>? {
    while true {
      if let end = firstLineFeed() {
        defer {
          start = end + 1
          searched = start
        }
        return buffer[start..<end]
      }
      searched = buffer.count
      if isAtEnd {
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        return buffer[start...]
      }
      try readMore()
    }
  }

  private func firstLineFeed() -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, searched < bytes.count,
        let found = memchr(base + searched, Int32(UInt8(ascii: "\n")), bytes.count - searched)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private mutating func readMore() throws {
    // Returned bytes are removed once for each chunk, not for each line.
    buffer.removeSubrange(..<start)
    searched -= start
    start = 0
    let source = source
    let chunk = try [UInt8](unsafeUninitializedCapacity: LineReader.chunkSize) { memory, filled in
      filled = try source(UnsafeMutableRawBufferPointer(memory))
    }
    // If the capacity is not enough, this doubles it, so that each byte of a long line is copied a
    // constant number of times. Reserving just what is needed would copy the line for each chunk.
    buffer += chunk
    isAtEnd = chunk.isEmpty
  }
}

/// An error: the input cannot be read.
struct InputError: Error, Equatable, CustomStringConvertible {
  let code: Int32
  var description: String { "cannot read standard input: \(String(cString: strerror(code)))" }
}
