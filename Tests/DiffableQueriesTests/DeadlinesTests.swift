import DiffableTesting
import Testing
import TestScope

@testable import Diffable
@testable import DiffableQueries

@Suite("Deadlines come in their order, each once, and none is lost with those that no longer count")
struct DeadlinesTests {
  @Test("any script, with more deadlines than items", arguments: 0..<UInt64(rounds(24)))
  func scripts(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var deadlines = Deadlines<Int>()
    /// All times that were ever said for an item and have not come, and the last of them, which counts.
    var said: [Int: Set<Int>] = [:]
    var latest: [Int: Int] = [:]
    var now = 0
    for step in 0..<600 {
      let comment: Comment = "seed \(seed), step \(step)"
      if random.chance(oneIn: 12) {
        now += random.number(below: 20)
        let due = deadlines.removeDue(at: .seconds(now))
        let expected = latest.filter { $0.value <= now }.keys
        #expect(Set(expected).isSubset(of: due), comment)
        for item in due {
          let times = said[item] ?? []
          #expect(times.contains { $0 <= now }, comment)
        }
        said = said.mapValues { $0.filter { $0 > now } }
        latest = latest.filter { $0.value > now }
      } else {
        let (item, time) = (random.number(below: 90), now + random.number(below: 100))
        deadlines.insert(item, at: .seconds(time))
        said[item, default: []].insert(time)
        latest[item] = time
        deadlines.compact { item, time in latest[item].map { .seconds($0) == time } ?? false }
      }
      if let first = latest.values.min() {
        #expect((deadlines.next ?? .seconds(Int.max)) <= .seconds(first), comment)
      }
    }
    var times: [Int] = []
    while let next = deadlines.next {
      times.append(Int(next.components.seconds))
      #expect(!deadlines.removeDue(at: next).isEmpty, "it is due at its very moment")
    }
    #expect(times == times.sorted())
    #expect(Set(latest.values).isSubset(of: times))
  }

  @Test("However often a row says its deadline, the entries do not pile up")
  func saidAgain() {
    var deadlines = Deadlines<Int>()
    for _ in 0..<500 {
      for item in 0..<10 {
        deadlines.insert(item, at: .seconds(item))
        deadlines.compact { .seconds($0) == $1 }
      }
    }
    let due = deadlines.removeDue(at: .seconds(10))
    #expect(Set(due) == Set(0..<10))
    #expect(due.count <= 64)
  }
}
