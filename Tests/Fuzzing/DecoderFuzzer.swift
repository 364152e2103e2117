import Diffable
import DiffableSync
import Foundation

/// What libFuzzer calls with every input that it makes up.
///
/// An input is a JSON text or a stream of events, and is read as everything that it might be. What is accepted has to
/// keep its laws; all else is a `DecodingError`. A trap, more memory or more time than the limits
/// of the command line is a failure as well.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let data = Data(UnsafeRawBufferPointer(start: start, count: count))
  checkLines(data)
  checkEvents(data)
  switch data.first {
  case UInt8(ascii: "["):
    decoded(ItemPathSet.self, data).map(checkSameAfterCoding)
    decoded(Outline<Int>.self, data).map(check)
  case UInt8(ascii: "{"):
    decoded(ItemPath.self, data).map(checkSameAfterCoding)
    decoded(Snapshot<String, Int>.self, data).map(check)
    decoded(SnapshotDifference.self, data).map(check)
    decoded(HandmadeDifference.self, data).map(check)
    decoded(HandmadeBatch.self, data).map(check)
    decoded(UpdateDelta<String, Int>.self, data).map(check)
    decoded(ModelDelta<Header, Row>.self, data).map(check)
    checkProposals(data)
  default:
    decoded(ResumeToken.self, data).map(checkSameAfterCoding)
  }
  return 0
}

/// A value, or `nil` if the data is refused in the way that decoders do.
func decoded<Value: Decodable>(_ type: Value.Type, _ data: Data) -> Value? {
  do {
    return try JSONDecoder().decode(type, from: data)
  } catch {
    expect(error is DecodingError, "\(type) throws \(error)")
    return nil
  }
}

/// Stops the program where a law does not hold.
func expect(_ holds: Bool, _ law: @autoclosure () -> String) {
  if !holds { fatalError(law()) }
}

/// The result of something that must not throw.
func expectResult<Result>(_ law: String, _ work: () throws -> Result) -> Result {
  do {
    return try work()
  } catch {
    fatalError("\(law): \(error)")
  }
}

/// What is read of what a value is written as.
func coded<Value: Codable>(_ value: Value) -> Value {
  expectResult("\(Value.self) is written and read") {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }
}

func checkSameAfterCoding(_ value: some Codable & Equatable) {
  expect(coded(value) == value, "\(value) is the same after coding")
}

/// Every line comes whole, whatever the pieces that it is read in.
private func checkLines(_ data: Data) {
  let bytes = Array(data)
  var lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
  // After the last line feed there is no line.
  if lines.last == [] { lines.removeLast() }
  let size = 1 + Int(bytes.last ?? 0)
  var rest = bytes[...]
  var reader = LineReader { memory in
    let piece = rest.prefix(min(size, memory.count))
    memory.copyBytes(from: piece)
    rest = rest.dropFirst(piece.count)
    return piece.count
  }
  var read: [[UInt8]] = []
  while let line = expectResult("lines are read", { try reader.next() }) {
    read.append(Array(line))
  }
  expect(read == lines, "lines are read as they are written")
}
