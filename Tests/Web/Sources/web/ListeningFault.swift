import Foundation
import NIOCore

/// Why the server cannot listen at an address.
struct ListeningFault: Error, CustomStringConvertible {
  let description: String

  init(_ error: IOError, host: String, ports: [Int]) {
    // The error does not say which.
    let port = ports.map(String.init).joined(separator: " or ")
    description =
      switch error.errnoCode {
      case EADDRINUSE:
        "another program listens at port \(port) of \(host). End it, or choose another port with --port."
      case EADDRNOTAVAIL: "\(host) is no address of this machine. Choose another one with --host."
      case EACCES: "you may not listen at port \(port). Choose one above 1023 with --port."
      default: "port \(port) of \(host) cannot be listened at: \(error)"
      }
  }
}
