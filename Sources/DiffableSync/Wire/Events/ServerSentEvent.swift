/// An event of a stream of server-sent events, as a server writes it.
///
/// The format is that of the WHATWG HTML specification: lines of `id:`, `event:`, `data:` and
/// `retry:`, and an empty line that ends the event.
///
/// ```swift
/// let event = try ServerSentEvent(id: batch.token.description, name: "delta", data: json)
/// response.write(event.bytes)
/// ```
public struct ServerSentEvent: Hashable, Sendable {
  /// What the client sends as `Last-Event-ID` when it reconnects; `nil` keeps the previous value.
  public let id: String?
  /// The type of the event; clients read `nil` as `message`.
  public let name: String?
  /// The data; `nil` only sets `id` and `retry`, and clients do not deliver the event.
  public let data: String?
  /// How long a client waits before it reconnects, in milliseconds.
  public let retry: Int?

  /// Creates an event.
  ///
  /// - Throws: ``EventStreamError/unwritable(_:)`` if the format cannot express a value: an `id`
  ///   with a line break or U+0000, a `name` that is empty or has a line break, `data` with a
  ///   carriage return, and a negative `retry`. JSON without line breaks is always writable.
  /// - Complexity: O(b) for b bytes.
  public init(
    id: String? = nil, name: String? = nil, data: String? = nil, retry: Int? = nil
  ) throws(EventStreamError) {
    func hasByte(of bytes: [UInt8], _ text: String?) -> Bool {
      text?.utf8.contains(where: bytes.contains) ?? false
    }
    let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    if hasByte(of: [0, lineFeed, carriageReturn], id) { throw .unwritable("id") }
    if hasByte(of: [lineFeed, carriageReturn], name) || name == "" { throw .unwritable("name") }
    if hasByte(of: [carriageReturn], data) { throw .unwritable("data") }
    if let retry, retry < 0 { throw .unwritable("retry") }
    (self.id, self.name, self.data, self.retry) = (id, name, data, retry)
  }
}

extension ServerSentEvent {
  /// The lines of the event and the empty line after them, in UTF-8.
  ///
  /// - Complexity: O(b) for b bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func write(_ field: String, _ value: some Sequence<UInt8>) {
      bytes.append(contentsOf: field.utf8)
      bytes.append(contentsOf: value)
      bytes.append(UInt8(ascii: "\n"))
    }
    if let retry { write("retry: ", "\(retry)".utf8) }
    if let id { write("id: ", id.utf8) }
    if let name { write("event: ", name.utf8) }
    if let data {
      for line in data.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        write("data: ", line)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// An event `heartbeat` without data.
  ///
  /// It keeps proxies from closing a quiet connection, and tells the client that the connection works.
  /// It is no comment, because `EventSource` hides comments from the page.
  public static var heartbeat: [UInt8] { Array("event: heartbeat\ndata: \n\n".utf8) }
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
