import ListSupport
import Testing
import TestScope

@testable import Diffable

@Suite("What is being loaded follows what is wanted")
struct ChildLoadsTests {
  private typealias Load = ChildLoads<Int>.Load

  @Test("each wanted item is asked for once, and nothing else is")
  func exhaustive() {
    // A set of wanted items, or the end of the oldest load.
    let events: [[Int]?] = [[], [0], [1], [0, 1], nil]
    for script in everySequence(of: events, length: scoped(usual: 4, wide: 6)) {
      var loads = ChildLoads<Int>()
      var running: [Load] = []
      var ended: [Load] = []
      var numbers: Set<Int> = []
      for event in script {
        if let wanted = event {
          let change = loads.follow(wanted)
          for load in change.cancelled {
            #expect(running.contains(load) && !wanted.contains(load.item), "\(script)")
          }
          running.removeAll(where: change.cancelled.contains)
          ended += change.cancelled
          for load in change.started {
            #expect(!running.contains { $0.item == load.item }, "\(script)")
            #expect(numbers.insert(load.number).inserted, "\(script)")
          }
          running += change.started
          #expect(Set(running.map(\.item)) == Set(wanted), "\(script)")
        } else if let load = running.first {
          let isCurrent = loads.end(load) == load.item
          #expect(isCurrent, "\(script)")
          running.removeFirst()
          ended.append(load)
        }
        #expect(Set(loads.running) == Set(running), "\(script)")
        // What was cancelled or has ended cannot end again.
        for load in ended {
          var copy = loads
          let isCurrent = copy.end(load) != nil
          #expect(!isCurrent, "\(script)")
        }
      }
    }
  }
}
