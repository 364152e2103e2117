import Foundation
import Synchronization

/// Numbers of ports for servers.
///
/// A server is told its ports before it starts, and keeps them while it is down. So they come from below those
/// that systems hand to clients: one of these may be taken by any connection in between.
enum Ports {
  private static let last = Mutex(Int.random(in: 20_000..<30_000))

  /// Ports on which nobody listens now, each given once in this process.
  static func free(_ count: Int) throws -> [Int] {
    try (0..<count).map { _ in try next() }
  }

  private static func next() throws -> Int {
    for _ in 0..<10_000 {
      let port = last.withLock { last in
        last = last < 30_000 ? last + 1 : 20_000
        return last
      }
      if try isFree(port) { return port }
    }
    throw ServerError("There is no free port.")
  }

  private static func isFree(_ port: Int) throws -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw ServerError("There is no socket.") }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
