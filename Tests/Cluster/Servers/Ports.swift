import Foundation

/// Numbers of ports that nobody uses.
enum Ports {
  /// Asks the system for ports.
  ///
  /// They are free again when this returns, so another process may take one, which is unlikely:
  /// the system hands numbers out in turns.
  static func free(_ count: Int) throws -> [Int] {
    var sockets: [Int32] = []
    defer { sockets.forEach { close($0) } }
    return try (0..<count).map { _ in
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      guard descriptor >= 0 else { throw ServerError("There is no socket.") }
      sockets.append(descriptor)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let bound = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
        }
      }
      guard bound else { throw ServerError("There is no free port.") }
      return Int(UInt16(bigEndian: address.sin_port))
    }
  }
}
