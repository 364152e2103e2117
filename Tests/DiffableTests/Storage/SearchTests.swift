import Testing

@testable import Diffable

@Suite("Search by halves")
struct SearchTests {
  @Test("Every bound in every short buffer, with keys alone and repeated")
  func exhaustive() {
    for width in [1, 3] {
      for count in 0...70 {
        let keys = (0..<count).map { $0 / width * 2 }
        for bound in -1...2 * count + 1 {
          let found = keys.withUnsafeBufferPointer { $0.count(upTo: bound, by: \.self) }
          #expect(found == keys.filter { $0 <= bound }.count, "\(count) keys, bound \(bound)")
        }
      }
    }
  }
}
