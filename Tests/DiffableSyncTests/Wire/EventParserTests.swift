import Diffable
import DiffableSync
import DiffableTesting
import Testing
import TestScope

/// Server-sent events, as the WHATWG HTML specification describes them in 9.2.
@Suite struct EventParserTests {
  typealias Event = EventParser.Event

  /// All that a parser makes of a stream.
  struct Outcome: Equatable {
    var events: [Event] = []
    var reconnectionTime: Int?
  }

  static func parse(_ pieces: [some Sequence<UInt8>]) throws -> Outcome {
    var parser = EventParser()
    var outcome = Outcome()
    for piece in pieces { try parser.parse(piece) { outcome.events.append($0) } }
    outcome.reconnectionTime = parser.reconnectionTime
    return outcome
  }

  static func events(_ text: String) throws -> [Event] { try parse([text.utf8]).events }

  @Test func `The examples of the specification`() throws {
    #expect(
      try Self.events("data: YHOO\ndata: +2\ndata: 10\n\n") == [Event(data: "YHOO\n+2\n10")])
    #expect(
      try Self.events(
        ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event")
        == [Event(data: "first event"), Event(data: "second event")])
    #expect(try Self.events("data\n\ndata\ndata\n\ndata:") == [Event(data: ""), Event(data: "\n")])
    #expect(
      try Self.events("data:test\n\ndata: test\n\n") == [Event(data: "test"), Event(data: "test")])
    #expect(
      try Self.events(
        "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n")
        == [
          Event(name: "add", data: "73857293"), Event(name: "remove", data: "2153"),
          Event(name: "add", data: "113411"),
        ])
  }

  @Test func `Fields`() throws {
    func outcome(_ text: String) throws -> Outcome { try Self.parse([text.utf8]) }
    #expect(try outcome("retry: 10\n").reconnectionTime == 10)
    for value in ["", "x", "-1", "1.5", " 7", "99999999999999999999"] {
      #expect(try outcome("retry: \(value)\n").reconnectionTime == nil, "\(value)")
    }
    #expect(try outcome("id: 1\ndata: x\nid: 2\u{0}\n\n").events == [Event(data: "x")])
    #expect(try outcome("id: 1\n\n") == Outcome())
    #expect(try outcome("Data: x\ndatum: y\n data: z\n\n").events.isEmpty)
    #expect(try outcome("event: a\n\ndata: x\n\n").events == [Event(data: "x")])
    #expect(try outcome("\u{FEFF}data: x\n\n").events == [Event(data: "x")])
    #expect(try outcome("\u{FEFF}\u{FEFF}data: x\n\n").events.isEmpty)
    #expect(try outcome("\n\u{FEFF}data: x\n\n").events.isEmpty)
    #expect(
      try Self.parse([Array("data: ".utf8) + [0xC3, 0x28, 0xFF] + Array("\n\n".utf8)]).events
        == [Event(data: "\u{FFFD}(\u{FFFD}")])
  }

  private static let streams = [
    "\u{FEFF}: comment\r\nretry: 5\r\nid: 1\r\nevent: a\r\ndata: über 😀\r\ndata\r\n\r\ndata: x\r\n\r\n",
    "id: 1\rdata: a\r\rdata: b\r\n\rdata: c\n\r\ndata: d\n\nid: 2\n\n",
    "\u{FEFF}\r\n\r\ndata:  two\r\ndata:\r\n\n:\n:\n\ndata: cut off",
  ]

  @Test("however it is cut, the same comes out", arguments: streams)
  func cuts(stream: String) throws {
    let bytes = Array(stream.utf8)
    let whole = try Self.parse([bytes])
    #expect(!whole.events.isEmpty)
    #expect(try Self.parse(bytes.map { [$0] }) == whole)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
        if try Self.parse(pieces) != whole { Issue.record("cut at \(first) and \(second)") }
      }
    }
  }

  /// What the specification says, of a stream that is there as a whole.
  private func reference(_ bytes: [UInt8]) -> Outcome {
    var text = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    if text.first == "\u{FEFF}" { text.removeFirst() }
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    var index = 0
    while index < text.count {
      if text[index] == "\n" || text[index] == "\r" {
        if text[index] == "\r", index + 1 < text.count, text[index + 1] == "\n" { index += 1 }
        lines.append(String(line))
        line = .init()
      } else {
        line.append(text[index])
      }
      index += 1
    }
    var outcome = Outcome()
    var (data, type) = ("", "")
    for line in lines.map(\.unicodeScalars) {
      guard !line.isEmpty else {
        if !data.isEmpty {
          data.unicodeScalars.removeLast()
          outcome.events.append(Event(name: type.isEmpty ? "message" : type, data: data))
        }
        (data, type) = ("", "")
        continue
      }
      let colon = line.firstIndex(of: ":")
      if colon == line.startIndex { continue }
      let field = String(line[..<(colon ?? line.endIndex)])
      var value = colon.map { line[line.index(after: $0)...] } ?? line[line.endIndex...]
      if value.first == " " { value = value.dropFirst() }
      switch field {
      case "event": type = String(value)
      case "data":
        data.unicodeScalars += value
        data.unicodeScalars.append("\n")
      case "retry":
        if !value.isEmpty, value.allSatisfy({ ("0"..."9").contains($0) }) {
          outcome.reconnectionTime = Int(String(value))
        }
      default: break
      }
    }
    return outcome
  }

  @Test func `Every short stream means what the specification says`() throws {
    let words = ["\n", "\r", ":", " ", "data", "id", "event", "retry", "7", "\u{0}", "\u{FEFF}"]
      .map { Array($0.utf8) }
    var streams: [[UInt8]] = [[]]
    for _ in 0..<(scoped(usual: 3, wide: 4, long: 5)) {
      streams = streams.flatMap { stream in words.map { stream + $0 } }
      for stream in streams {
        // Something to hand out, whatever the state is.
        let bytes = stream + Array("\ndata:end\n\n".utf8)
        let (middle, outcome) = (bytes.count / 2, reference(bytes))
        if try Self.parse([bytes[..<middle], bytes[middle...]]) != outcome {
          Issue.record("\(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `What is read is what was written`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let scalars: [Unicode.Scalar] = [
      "a", " ", ":", "\n", "\r", "\u{0}", "\u{FEFF}", "ü", "😀", "\"", "\u{2028}", "7",
    ]
    func text(without forbidden: [Unicode.Scalar]) -> String {
      var text = String.UnicodeScalarView()
      for _ in 0..<random.number(below: 8) {
        if let scalar = random.element(of: scalars), !forbidden.contains(scalar) {
          text.append(scalar)
        }
      }
      return String(text)
    }
    var bytes: [UInt8] = []
    var expected = Outcome()
    for _ in 0..<rounds(50) {
      let name = text(without: ["\n", "\r"])
      let id = random.chance(oneIn: 2) ? text(without: ["\n", "\r", "\u{0}"]) : nil
      let data = random.chance(oneIn: 4) ? nil : text(without: ["\r"])
      let retry = random.chance(oneIn: 4) ? random.number(below: 100_000) : nil
      bytes += try ServerSentEvent.bytes(
        id: id, name: name.isEmpty ? nil : name, data: data, retry: retry)
      if random.chance(oneIn: 3) { bytes += Array(":\n\n".utf8) }
      expected.reconnectionTime = retry ?? expected.reconnectionTime
      guard let data else { continue }
      expected.events.append(Event(name: name.isEmpty ? "message" : name, data: data))
    }
    var pieces: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      pieces.append(rest.prefix(1 + random.number(below: 30)))
      rest = rest.dropFirst(pieces.last?.count ?? 0)
    }
    #expect(try Self.parse(pieces) == expected, "seed \(seed)")
  }

  @Test func `What cannot be said is an error`() {
    typealias Event = ServerSentEvent
    #expect(throws: EventStreamError.unwritable("id")) { try Event.bytes(id: "a\u{0}") }
    #expect(throws: EventStreamError.unwritable("id")) { try Event.bytes(id: "a\n") }
    #expect(throws: EventStreamError.unwritable("name")) { try Event.bytes(name: "a\r\n") }
    #expect(throws: EventStreamError.unwritable("name")) { try Event.bytes(name: "") }
    #expect(throws: EventStreamError.unwritable("data")) { try Event.bytes(data: "a\r\nb") }
    #expect(throws: EventStreamError.unwritable("retry")) { try Event.bytes(retry: -1) }
  }

  @Test("lines and events that are too long are an error, however they are cut", arguments: 1...20)
  func limits(size: Int) throws {
    func outcome(_ text: String, line: Int, event: Int = 100) -> (events: Int, EventStreamError?) {
      var parser = EventParser(limits: .init(lineByteCount: line, eventByteCount: event))
      var (count, error): (Int, EventStreamError?) = (0, nil)
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        do throws(EventStreamError) {
          try parser.parse(rest.prefix(size)) { _ in count += 1 }
        } catch let thrown {
          // It stays as it is.
          if let error { #expect(thrown == error) }
          error = thrown
        }
        rest = rest.dropFirst(size)
      }
      return (count, error)
    }
    let text = "\u{FEFF}data: 0123\n\ndata: 01234\n\ndata: x\n\n"
    #expect(outcome(text, line: 11) == (3, nil))
    #expect(outcome(text, line: .max, event: .max) == (3, nil))
    #expect(outcome(text, line: 10) == (1, .lineTooLong(limit: 10)))
    #expect(outcome(text, line: 9) == (0, .lineTooLong(limit: 9)))
    #expect(outcome("\u{FEFF}\u{FEFF}\u{FEFF}\n\ndata: x\n\n", line: 7) == (1, nil))
    // Only a byte order mark makes the first line longer.
    #expect(outcome("data: 0123\n\n", line: 10) == (1, nil))
    #expect(outcome("data: 01234\n\ndata: x\n\n", line: 10) == (0, .lineTooLong(limit: 10)))
    let lines = "data: 0123\ndata: 567\n\ndata: 0123\ndata: 5678\n\n"
    #expect(outcome(lines, line: 100, event: 9) == (2, nil))
    #expect(outcome(lines, line: 100, event: 8) == (1, .eventTooLong(limit: 8)))
    #expect(outcome("data\ndata\n\n", line: 4, event: 0) == (0, .eventTooLong(limit: 0)))
  }
}
