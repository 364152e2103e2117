import Foundation

/// Sends requests to a server as an operator does, without the library that is tested.
public struct RawClient {
  private let descriptor: Int32

  /// Sends a request, and returns the answer.
  ///
  /// - Throws: ``ServerError`` if there is no answer within five seconds.
  public static func request(_ subject: String, _ payload: String = "", to server: Server) throws
    -> String
  {
    let client = try RawClient(port: server.port)
    defer { close(client.descriptor) }
    let inbox = "_INBOX.\(UUID().uuidString)"
    try client.send(
      "CONNECT {\"verbose\":false}\r\nSUB \(inbox) 1\r\n"
        + "PUB \(subject) \(inbox) \(payload.utf8.count)\r\n\(payload)\r\n")
    return try client.answer()
  }

  /// Publishes a message that nobody answers.
  public static func publish(
    _ payload: String, headers: [String: String] = [:], to subject: String,
    of server: Server
  ) throws {
    let client = try RawClient(port: server.port)
    defer { close(client.descriptor) }
    var (command, lines) = ("PUB \(subject) ", "")
    if !headers.isEmpty {
      lines = "NATS/1.0\r\n" + headers.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
      command = "HPUB \(subject) \(lines.utf8.count) "
    }
    try client.send(
      "CONNECT {\"verbose\":false,\"headers\":true}\r\n\(command)\(lines.utf8.count + payload.utf8.count)\r\n"
        + "\(lines)\(payload)\r\nPING\r\n")
    _ = try client.read { $0.contains("PONG\r\n") }
  }

  private init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      close(descriptor)
      throw ServerError("No server listens on port \(port).")
    }
  }

  private func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      throw ServerError("The server does not take a request.")
    }
  }

  /// The payload of the first message: `MSG subject number size`, and then the payload.
  private func answer() throws -> String {
    let text = try read { text in
      guard let payload = Self.payload(in: text) else { return false }
      return payload.rest.utf8.count >= payload.size
    }
    return Self.payload(in: text).map { String($0.rest.prefix($0.size)) } ?? ""
  }

  private static func payload(in text: String) -> (size: Int, rest: Substring)? {
    guard let start = text.range(of: "\r\nMSG "),
      let end = text.range(of: "\r\n", range: start.upperBound..<text.endIndex),
      let size = text[start.upperBound..<end.lowerBound].split(separator: " ").last
    else { return nil }
    return Int(size).map { ($0, text[end.upperBound...]) }
  }

  private func read(until isWhole: (String) -> Bool) throws -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { throw ServerError("The server does not answer.") }
      bytes += buffer[..<count]
      let text = String(decoding: bytes, as: UTF8.self)
      if isWhole(text) { return text }
    }
  }
}
