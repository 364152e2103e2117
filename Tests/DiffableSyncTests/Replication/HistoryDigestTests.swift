import DiffableTesting
import ListSupport
import Testing

@testable import Diffable
@testable import DiffableEngine
@testable import DiffableSync

@Suite("Digests tell histories apart") struct HistoryDigestTests {
  private func place(_ names: [UInt64]) -> HistoryPlace {
    names.reduce(.start) { $0.next(WriteID(ofForeignMessage: $1)) }
  }

  @Test("Every sequence of names has a digest of its own")
  func sequences() {
    let all = everySequence(of: [0, 1, 2, 3] as [UInt64], upTo: 6)
    let places = all.map(place)
    #expect(Set(places.map(\.digest)).count == all.count)
    #expect(zip(all, places).allSatisfy { $0.count == $1.revision.number })
    #expect(places.dropFirst().allSatisfy { $0.digest != .none })
  }

  /// Other programs that read a log compute the same.
  @Test("The digest is the one that is documented")
  func documented() {
    #expect(place([]).digest.bits == 0)
    func mixed(_ number: UInt64) -> UInt64 {
      var bits = number
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }
    let first = mixed(mixed(0x9E37_79B9_7F4A_7C15 ^ 0) ^ 5)
    let second = mixed(mixed((first &+ 0x9E37_79B9_7F4A_7C15) ^ 0) ^ 6)
    #expect(place([5, 6]).digest.bits == second)
  }

  @Test("A token keeps its digest, and damage names no other place")
  func tokens() throws {
    var random = SplitMix64(seed: 4)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    for _ in 0..<20 {
      let epoch = Epoch(high: random.next(), low: random.next())
      let place = place((0..<UInt64(random.number(below: 9)) + 1).map { _ in random.next() })
      let token = ResumeToken(epoch: epoch, place: place)
      #expect(token.description.count == 43)
      let parts = try #require(ResumeToken(token.description).parts)
      #expect(parts.epoch == epoch && parts.place == place)
      let text = Array(token.description)
      for index in text.indices {
        var damaged = text
        for character in alphabet where character != text[index] {
          damaged[index] = character
          let parts = ResumeToken(String(damaged)).parts
          #expect(parts.map { $0.epoch != epoch || $0.place != place } ?? true)
        }
        damaged = text
        damaged.remove(at: index)
        #expect(ResumeToken(String(damaged)).parts == nil)
      }
    }
  }
}
