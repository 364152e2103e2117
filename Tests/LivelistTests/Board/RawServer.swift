#if os(Linux) || os(macOS)
import Foundation

/// A server whose system accepts connections, while nobody answers unless a test does.
final class RawServer: Sendable {
  struct Failure: Error {}

  private let descriptor: Int32
  let port: UInt16

  init() throws {
    #if canImport(Darwin)
    let type = SOCK_STREAM
    #else
    let type = Int32(SOCK_STREAM.rawValue)
    #endif
    descriptor = socket(AF_INET, type, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let code = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard code else { throw Failure() }
  }

  deinit { close(descriptor) }

  #if canImport(Darwin)
  private static let noSignal: Int32 = 0
  #else
  private static let noSignal = Int32(MSG_NOSIGNAL)
  #endif

  /// Answers the first request with a text.
  ///
  /// - Returns: A stream that ends once the client hangs up.
  func answer(_ text: String) -> AsyncStream<Never> {
    let (hangup, end) = AsyncStream<Never>.makeStream()
    // A thread of its own, which begins at once: those of tasks may all be busy in other tests for longer
    // than a client waits.
    Thread.detachNewThread { [descriptor] in
      let client = accept(descriptor, nil, nil)
      #if canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(client, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
      #endif
      defer {
        close(client)
        end.finish()
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      guard read(client, &buffer, buffer.count) > 0 else { return }
      let bytes = Array(text.utf8)
      // A client that hangs up before is no reason for a signal.
      guard send(client, bytes, bytes.count, Self.noSignal) == bytes.count else { return }
      while read(client, &buffer, buffer.count) > 0 {}
    }
    return hangup
  }
}
#endif
