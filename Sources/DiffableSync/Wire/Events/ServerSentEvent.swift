/// The events of a stream of server-sent events, as a server writes them.
///
/// The format is that of the WHATWG HTML specification: lines of `id:`, `event:`, `data:` and
/// `retry:`, and an empty line that ends the event.
package enum ServerSentEvent {
  /// The lines of an event and the empty line after them, in UTF-8.
  ///
  /// ```swift
  /// let id = batch.token.description
  /// response.write(try ServerSentEvent.bytes(id: id, name: "delta", data: json))
  /// ```
  ///
  /// - Parameters:
  ///   - id: What the client sends as `Last-Event-ID` when it reconnects; `nil` keeps the last one.
  ///   - name: The type of the event; clients read `nil` as `message`.
  ///   - data: The data; `nil` only sets `id` and `retry`, and clients do not deliver the event.
  ///   - retry: How long a client waits before it reconnects, in milliseconds.
  /// - Throws: ``EventStreamError/unwritable(_:)`` if the format cannot express a value: an `id`
  ///   with a line break or U+0000, a `name` that is empty or has a line break, `data` with a
  ///   carriage return, and a negative `retry`. JSON without line breaks is always writable.
  /// - Complexity: O(b) for b bytes.
  package static func bytes(
    id: String? = nil, name: String? = nil, data: String? = nil, retry: Int? = nil
  ) throws(EventStreamError) -> [UInt8] {
    func hasByte(of bytes: [UInt8], _ text: String?) -> Bool {
      text?.utf8.contains(where: bytes.contains) ?? false
    }
    let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    if hasByte(of: [0, lineFeed, carriageReturn], id) { throw .unwritable("id") }
    if hasByte(of: [lineFeed, carriageReturn], name) || name == "" { throw .unwritable("name") }
    if hasByte(of: [carriageReturn], data) { throw .unwritable("data") }
    if let retry, retry < 0 { throw .unwritable("retry") }
    var bytes: [UInt8] = []
    func write(_ field: String, _ value: some Sequence<UInt8>) {
      bytes.append(contentsOf: field.utf8)
      bytes.append(contentsOf: value)
      bytes.append(lineFeed)
    }
    if let retry { write("retry: ", "\(retry)".utf8) }
    if let id { write("id: ", id.utf8) }
    if let name { write("event: ", name.utf8) }
    if let data {
      for line in data.utf8.split(separator: lineFeed, omittingEmptySubsequences: false) {
        write("data: ", line)
      }
    }
    bytes.append(lineFeed)
    return bytes
  }

  /// An event `heartbeat` without data.
  ///
  /// It keeps proxies from closing a quiet connection, and tells the client that the connection works.
  /// It is no comment, because `EventSource` hides comments from the page.
  package static var heartbeat: [UInt8] { Array("event: heartbeat\ndata: \n\n".utf8) }
}

/// Why a stream of server-sent events cannot be written or read.
public enum EventStreamError: Error, Hashable, Sendable {
  /// The format cannot express the value of the named field.
  case unwritable(String)
  /// A line has more bytes than the limits allow.
  case lineTooLong(limit: Int)
  /// The data of an event has more bytes than the limits allow.
  case eventTooLong(limit: Int)
  /// Nothing has arrived for so long, not even a heartbeat.
  case silent(Duration)
}

extension EventStreamError {
  /// The name of the case, for logs.
  public var code: String {
    switch self {
    case .unwritable: "unwritable"
    case .lineTooLong: "lineTooLong"
    case .eventTooLong: "eventTooLong"
    case .silent: "silent"
    }
  }
}

extension EventStreamError: CustomStringConvertible {
  /// A sentence that says what was wrong.
  public var description: String {
    switch self {
    case .unwritable(let field):
      "The \(field) of an event has characters that a stream of events cannot carry."
    case .lineTooLong(let limit): "A line of the stream is longer than \(limit) bytes."
    case .eventTooLong(let limit): "The data of an event is longer than \(limit) bytes."
    case .silent(let time): "Nothing has arrived for \(time), not even a heartbeat."
    }
  }
}

/// Reads a stream of server-sent events, as the WHATWG HTML specification defines for clients.
///
/// Pass it the bytes of the response as they arrive, in pieces of any size:
///
/// ```swift
/// var parser = EventParser()
/// for try await chunk in response.body {
///   try parser.parse(chunk) { event in handle(event.data) }
/// }
/// ```
///
/// Lines end with a line feed, a carriage return or both. A byte order mark at the start, comments
/// and unknown fields are skipped. So are identifiers: a mirror knows which state it has. Bytes that
/// are not UTF-8 are replaced by U+FFFD. An event that is cut off at the end of the stream is never
/// delivered.
package struct EventParser: Sendable {
  /// An event that was received.
  package struct Event: Hashable, Sendable {
    /// The type of the event: `message` if the server gives none.
    package var name: String
    /// The data, its lines joined by line feeds.
    package var data: String

    /// Creates an event.
    package init(name: String = "message", data: String) {
      (self.name, self.data) = (name, data)
    }
  }

  /// How large lines and events may be.
  package struct Limits: Hashable, Sendable {
    /// The maximum number of bytes of a line, without its end.
    package var lineByteCount: Int
    /// The maximum number of bytes of the data of one event.
    package var eventByteCount: Int

    /// Creates limits; both are 16 MiB by default.
    package init(lineByteCount: Int = 1 << 24, eventByteCount: Int = 1 << 24) {
      (self.lineByteCount, self.eventByteCount) = (lineByteCount, eventByteCount)
    }
  }

  /// How long to wait before reconnecting, in milliseconds, if the server has said so.
  package private(set) var reconnectionTime: Int?

  private let limits: Limits
  private var line: [UInt8] = []
  /// Whether the last byte was a carriage return, so that a line feed belongs to it.
  private var isAfterCarriageReturn = false
  private var isFirstLine = true
  private var data: [UInt8] = []
  private var name = ""
  private var failure: EventStreamError?

  /// Creates a parser for one response.
  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Reads some more bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes after those that were read before.
  ///   - receive: Is called with each event that ends within them, in order.
  /// - Throws: ``EventStreamError`` if a line or an event is too long. The events before it have
  ///   been received, and each further call throws the same error: close the connection.
  /// - Complexity: O(b) for b bytes.
  package mutating func parse(
    _ bytes: some Sequence<UInt8>, _ receive: (Event) -> Void
  ) throws(EventStreamError) {
    if let failure { throw failure }
    for byte in bytes {
      let isSecondHalf = isAfterCarriageReturn && byte == UInt8(ascii: "\n")
      isAfterCarriageReturn = byte == UInt8(ascii: "\r")
      if isSecondHalf { continue }
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        if let event = try endLine() { receive(event) }
      } else {
        // A byte order mark is not part of the first line.
        let markCount = isFirstLine ? Self.byteOrderMark.count : 0
        guard line.count - markCount < limits.lineByteCount else {
          return try fail(.lineTooLong(limit: limits.lineByteCount))
        }
        line.append(byte)
      }
    }
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private mutating func fail(_ error: EventStreamError) throws(EventStreamError) {
    failure = error
    (line, data) = ([], [])
    throw error
  }

  /// Processes the line that has ended, and returns the event that ends with it.
  private mutating func endLine() throws(EventStreamError) -> Event? {
    if isFirstLine {
      isFirstLine = false
      if line.starts(with: Self.byteOrderMark) { line.removeFirst(Self.byteOrderMark.count) }
      guard line.count <= limits.lineByteCount else {
        try fail(.lineTooLong(limit: limits.lineByteCount))
        return nil
      }
    }
    defer { line.removeAll(keepingCapacity: true) }
    guard !line.isEmpty else { return endEvent() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    try take(field: line[..<colon], value: value)
    return nil
  }

  private mutating func take(
    field: ArraySlice<UInt8>, value: ArraySlice<UInt8>
  ) throws(EventStreamError) {
    if field.elementsEqual("data".utf8) {
      guard data.count + value.count <= limits.eventByteCount else {
        return try fail(.eventTooLong(limit: limits.eventByteCount))
      }
      data.append(contentsOf: value)
      data.append(UInt8(ascii: "\n"))
    } else if field.elementsEqual("event".utf8) {
      name = String(decoding: value, as: UTF8.self)
    } else if field.elementsEqual("retry".utf8) {
      let isNumber = value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      if isNumber, let number = Int(String(decoding: value, as: UTF8.self)) {
        reconnectionTime = number
      }
    }
    // A comment has an empty name, and is ignored like all unknown fields.
  }

  private mutating func endEvent() -> Event? {
    defer {
      data.removeAll(keepingCapacity: true)
      name = ""
    }
    guard !data.isEmpty else { return nil }
    return Event(
      name: name.isEmpty ? "message" : name,
      data: String(decoding: data.dropLast(), as: UTF8.self))
  }
}
