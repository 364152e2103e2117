import Foundation
import Synchronization
import Testing

@testable import DiffableNATS

struct ServerVersionTests {
  @Test(arguments: [
    ("2.9.10", true), ("2.9", true), ("2.10.24", true), ("2.10.25-beta.1", false),
    ("2.10.25", false), ("2.11.0", false), ("2.100.0", false), ("10.0.0", false),
  ])
  func `Versions are compared by their numbers`(text: String, isOld: Bool) throws {
    let version = try #require(
      ServerVersion(inGreeting: #"INFO {"server_id":"N","version":"\#(text)","go":"go1.19"}"#))
    #expect((version < .oldest) == isOld)
  }

  @Test(arguments: ["", "INFO {}", #"INFO {"version""#, #"INFO {"version":"x"}"#, "HTTP/1.1 400"])
  func `What is no greeting has no version`(text: String) {
    #expect(ServerVersion(inGreeting: text) == nil)
  }

  @Test func `A server that sends slowly is not waited for, and half a version is none`() throws {
    let line = #"INFO {"version":"2.1"# + String(repeating: ".1", count: 4_000)
    let server = try SlowServer(Array(line.utf8))
    let address = "nats://127.0.0.1:\(server.port)"
    #expect(ServerVersion(ofServerAt: address, milliseconds: 100) == nil)
    // All of it would have taken most of a minute.
    #expect((1..<line.utf8.count).contains(server.countSent()))
  }
}

/// Sends a text to its first client, a byte every five milliseconds, until the client hangs up.
private final class SlowServer: Sendable {
  struct Failure: Error {}

  let port: UInt16
  private let sent = Mutex(0)
  private let isOver = DispatchSemaphore(value: 0)

  init(_ bytes: [UInt8]) throws {
    // What is sent to a client that has hung up is an error, and not the end of the tests.
    signal(SIGPIPE, SIG_IGN)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, 1) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isListening else { throw Failure() }
    DispatchQueue.global().async { self.send(bytes, from: descriptor) }
  }

  private func send(_ bytes: [UInt8], from descriptor: Int32) {
    let client = accept(descriptor, nil, nil)
    for byte in bytes {
      guard write(client, [byte], 1) == 1 else { break }
      sent.withLock { $0 += 1 }
      usleep(5_000)
    }
    close(client)
    close(descriptor)
    isOver.signal()
  }

  /// How many bytes it has sent, when its client has hung up.
  func countSent() -> Int {
    _ = isOver.wait(timeout: .now() + .seconds(120))
    return sent.withLock { $0 }
  }
}
