import Foundation
import Testing

@testable import Diffable
@testable import DiffableSync

@Suite("JSON text is what a decoder of the system reads") struct JSONTextTests {
  private static func written(_ body: (inout JSONText) throws -> Void) rethrows -> String {
    var text = JSONText { try Array(JSONEncoder().encode($0)) }
    try body(&text)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  @Test("Numbers of every length")
  func numbers() throws {
    var numbers = [0, Int.min, Int.max]
    var power = 1
    while true {
      numbers += [power - 1, power, power + 1, -power]
      let (next, overflows) = power.multipliedReportingOverflow(by: 10)
      if overflows { break }
      power = next
    }
    for number in numbers { #expect(Self.written { $0.write(number) } == "\(number)") }
    #expect(Self.written { $0.array(7, 12) } == "[7,12]")
    #expect(Self.written { $0.array(0, 10, 345) } == "[0,10,345]")
    #expect(
      Self.written { $0.array([[1, 2], []]) { $0.array($1) { $0.write($1) } } } == "[[1,2],[]]")
  }

  @Test("Values of any type, alone and in arrays")
  func values() throws {
    let texts = ["", "plain", "\"\\\n\u{1}", "日本 🦊"]
    let read = try JSONDecoder().decode(
      [String].self, from: Data(try Self.written { try $0.write(texts) }.utf8))
    #expect(read == texts)
    #expect(try Self.written { try $0.write([3, -4]) } == "[3,-4]")
    #expect(try Self.written { try $0.write([UInt8(3)]) } == "[3]")
    #expect(try Self.written { try $0.write([[1], [2]]) } == "[[1],[2]]")
  }
}
