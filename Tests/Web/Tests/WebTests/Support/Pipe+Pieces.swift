import Foundation

extension Pipe {
  /// What is written into the pipe, piece by piece, until its writers have closed it.
  ///
  /// A thread of its own reads. A `readabilityHandler` watches the file from a queue, and may still do
  /// so when the pipe is gone and its number belongs to another file: that ends the program.
  func pieces() -> AsyncStream<Data> {
    let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
    let handle = fileHandleForReading
    Thread.detachNewThread {
      while true {
        let data = handle.availableData
        guard !data.isEmpty else { return continuation.finish() }
        continuation.yield(data)
      }
    }
    return pieces
  }

  /// The same, line by line, without the last one if it does not end.
  func lines() -> AsyncStream<String> {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let pieces = pieces()
    let reading = Task {
      var rest = Data()
      for await data in pieces {
        rest += data
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[(end + 1)...])
        }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in reading.cancel() }
    return lines
  }
}
