import TestScope
import Testing

@testable import DiffableEngine

@Suite("Searches in buffers")
struct SearchTests {
  @Test("Every bound in every short buffer, with keys alone and repeated")
  func exhaustive() {
    for width in [1, 3] {
      for count in 0...70 {
        let keys = (0..<count).map { Int64($0 / width * 2) }
        for bound in -1...Int64(2 * count + 1) {
          let found = keys.withUnsafeBufferPointer { $0.count(upTo: bound, by: \.self) }
          #expect(found == keys.filter { $0 <= bound }.count, "\(count) keys, bound \(bound)")
        }
      }
    }
  }

  @Test("A hash at every place of every range, alone and with another one behind it")
  func hashes() {
    // Longer than several blocks that are compared at a time.
    let count = 70
    for place in 0..<count {
      for other in [place, place + 1, place + 16] where other < count {
        var hashes = Array(repeating: 7 as UInt32, count: count)
        (hashes[place], hashes[other]) = (9, 9)
        hashes.withUnsafeBufferPointer { hashes in
          for lower in 0..<18 {
            for upper in lower...count where isInScope(upper, usual: 3) {
              let found = hashes.firstIndex(ofHash: 9, in: lower..<upper)
              let expected = [place, other].first { lower <= $0 && $0 < upper }
              guard found != expected else { continue }
              Issue.record("\(lower)..<\(upper) with \(place) and \(other): \(found ?? -1)")
            }
          }
        }
      }
    }
  }
}
