#if NATS
import CNATS

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The version of a server.
struct ServerVersion: Comparable, CustomStringConvertible {
  /// The oldest version that keeps its word.
  ///
  /// It has lost no acknowledged entry in the tests of this package, in which servers are killed,
  /// stopped and paused. Version 2.9.10 has lost some.
  static let oldest = ServerVersion([2, 10, 25])

  private let numbers: [Int]

  var description: String { numbers.map(String.init).joined(separator: ".") }

  private init(_ numbers: [Int]) {
    self.numbers = numbers
  }

  /// Reads a text such as `2.10.25` or `2.12.0-beta.1`; `nil` if it begins in another way.
  init?(_ text: some StringProtocol) {
    let release = text.prefix { $0 != "-" && $0 != "+" }
    let numbers = release.split(separator: ".").map { Int($0) }
    guard !numbers.isEmpty, numbers.allSatisfy({ $0 != nil }) else { return nil }
    self.numbers = numbers.compactMap(\.self)
  }

  /// Reads the first line that a server sends: `INFO {…,"version":"2.10.25",…}`.
  init?(inGreeting line: String) {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    guard let key = parts.firstIndex(of: "version"), parts.indices.contains(key + 2) else {
      return nil
    }
    self.init(parts[key + 2])
  }

  /// Asks a server, which tells everyone who connects.
  ///
  /// The library knows the version but does not say it. `nil` if the server encrypts from the start, or
  /// does not answer in time. Blocks its thread.
  init?(ofServerAt url: String, milliseconds: Int64) {
    let address = url.split(separator: "/").last?.split(separator: "@").last ?? ""
    guard let colon = address.lastIndex(of: ":") else { return nil }
    let host = address[..<colon].filter { $0 != "[" && $0 != "]" }
    guard
      let line = firstLine(
        host: host, port: String(address[address.index(after: colon)...]),
        milliseconds: milliseconds)
    else { return nil }
    self.init(inGreeting: line)
  }

  static func < (left: ServerVersion, right: ServerVersion) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
}

/// The first line that a server sends, up to 8 KiB; `nil` if it has not come in time.
private func firstLine(host: String, port: String, milliseconds: Int64) -> String? {
  var hints = addrinfo()
  #if canImport(Glibc)
  hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
  #else
  hints.ai_socktype = SOCK_STREAM
  #endif
  var found: UnsafeMutablePointer<addrinfo>?
  guard getaddrinfo(host, port, &hints, &found) == 0, let address = found?.pointee else {
    return nil
  }
  defer { freeaddrinfo(found) }
  let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  // A program that this one starts meanwhile does not need it.
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  let end = ContinuousClock.now + .milliseconds(milliseconds)
  guard limitWaiting(on: descriptor, until: end),
    connect(descriptor, address.ai_addr, address.ai_addrlen) == 0
  else { return nil }
  var line: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1024)
  while line.count < 8192, !line.contains(UInt8(ascii: "\n")) {
    // A server may send its line byte by byte.
    guard limitWaiting(on: descriptor, until: end) else { return nil }
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    line += buffer[..<count]
  }
  return String(decoding: line, as: UTF8.self)
}

/// Makes the next call for a socket end in time; `false` if there is no time left.
private func limitWaiting(on descriptor: Int32, until end: ContinuousClock.Instant) -> Bool {
  let left = Int(ContinuousClock.now.duration(to: end) / .microseconds(1))
  // To the system zero means that there is no limit.
  guard left > 0 else { return false }
  var limit = timeval()
  limit.tv_sec = .init(left / 1_000_000)
  limit.tv_usec = .init(left % 1_000_000)
  for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
    setsockopt(
      descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
  }
  return true
}
#endif
