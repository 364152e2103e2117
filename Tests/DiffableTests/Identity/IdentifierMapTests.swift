import DiffableTesting
import Testing
import TestScope

@testable import Diffable

@Suite("A map of identifiers, against a dictionary and the order in which keys came")
struct IdentifierMapTests {
  @Test("any script", arguments: 0..<UInt64(rounds(20)), [1, 3, 1_000])
  func scripts(seed: UInt64, hashCount: Int) {
    var random = SplitMix64(seed: seed)
    var map = IdentifierMap<FewHashes, Int>()
    var (values, order): ([Int: Int], [Int]) = ([:], [])
    for step in 0..<200 {
      let number = random.number(below: 24)
      let key = FewHashes(number: number, hashCount: hashCount)
      switch random.number(below: 3) {
      case 0:
        map[key] = nil
        values[number] = nil
        order.removeAll { $0 == number }
      case 1:
        map[key] = step
        if values.updateValue(step, forKey: number) == nil { order.append(number) }
      default:
        map.change(key, default: step) { $0 += 1 }
        if values[number] == nil { order.append(number) }
        values[number, default: step] += 1
      }
      let comment: Comment = "seed \(seed), step \(step)"
      #expect(map.count == values.count && map.isEmpty == values.isEmpty, comment)
      #expect(map.elements.map(\.key.number) == order, comment)
      #expect(map.elements.map(\.value) == order.map { values[$0] }, comment)
      #expect(map[key] == values[number], comment)
    }
  }

  @Test("a set keeps the first of equal keys, in order")
  func set() {
    var set = IdentifierSet([3, 1, 3, 2, 1])
    #expect(set.inOrder == [3, 1, 2] && set.count == 3)
    set.remove(1)
    #expect(!set.contains(1) && set.inOrder == [3, 2])
    let isNew = [set.insert(1), set.insert(2)]
    #expect(isNew == [true, false] && set.inOrder == [3, 2, 1])
  }
}
