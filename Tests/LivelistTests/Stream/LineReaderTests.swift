import Testing

@testable import livelist

@Suite("Line reader") struct LineReaderTests {
  /// All lines of a text that arrives in pieces of this size.
  private func lines(_ bytes: [UInt8], inPiecesOf size: Int) throws -> [[UInt8]] {
    var rest = bytes[...]
    var reader = LineReader { memory in
      let piece = rest.prefix(min(size, memory.count))
      memory.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
    var lines: [[UInt8]] = []
    while let line = try reader.next() { lines.append(Array(line)) }
    return lines
  }

  @Test("gives every line of every short text, however it arrives")
  func everyText() throws {
    let alphabet = [UInt8(ascii: "a"), UInt8(ascii: "\n")]
    for length in 0...7 {
      for number in 0..<(1 << length) {
        let text = (0..<length).map { alphabet[number >> $0 & 1] }
        var expected = text.split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
        // Behind the last line feed there is no line.
        if expected.last == [] { expected.removeLast() }
        for size in 1...8 {
          #expect(try lines(text, inPiecesOf: size) == expected, "\(text) in pieces of \(size)")
        }
      }
    }
  }

  @Test("gives lines longer than any buffer, and many of them")
  func large() throws {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
    let text = long + [10] + long + [10, 10] + long
    #expect(try lines(text, inPiecesOf: 100_000) == [long, long, [], long])
    let many = Array((0..<10_000).map { "\($0)\n" }.joined().utf8)
    let read = try lines(many, inPiecesOf: 777)
    #expect(read.map { String(decoding: $0, as: UTF8.self) } == (0..<10_000).map { "\($0)" })
  }

  @Test("passes an error on")
  func failure() {
    var reader = LineReader { _ in throw InputError(code: 5) }
    #expect(throws: InputError(code: 5)) { try reader.next() }
  }
}
