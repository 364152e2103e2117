import DiffableTesting
import TestScope
import Testing

@testable import Diffable

/// A source that continues with a later revision: subscribers get one transition over the gap.
@Suite struct JumpTests {
  @Test("Publications, jumps and subscribers in random order", arguments: 0..<rounds(UInt64(40)))
  func random(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let length = random.number(below: 5)
    var machine = SoundMachine(historyLength: length, empty: 0, notesPerGroup: 1 << 20)
    var published: [Int] = []
    var subscribers: [(id: CursorID, taken: Int?, isStepwise: Bool)] = []
    for _ in 0..<120 {
      switch random.number(below: 6) {
      case 0:
        let isStepwise = random.chance(oneIn: 2)
        let after = random.number(below: machine.revision.number + 2)
        let revision = random.chance(oneIn: 2) ? Revision(after) : nil
        let isKnown = revision.map { machine.state(at: $0) != nil } ?? false
        let id = machine.subscribe(isStepwise ? .every(limit: 3) : .coalesced, after: revision)
        subscribers.append((id, isKnown ? after : nil, isStepwise))
      case 1:
        let next = Revision(machine.revision.number + 2 + random.number(below: 6))
        published.append(next.number)
        _ = machine.jump(
          to: next, state: next.number, notes: [next.number], presentation: .animated)
        #expect(machine.state(at: Revision(next.number - 1)) == nil)
        #expect(machine.reversible(.undo, .everything) == nil, "seed \(seed)")
      case 2, 3:
        let next = machine.revision.number + 1
        published.append(next)
        _ = machine.publish(
          state: next, notes: [next], presentation: .animated, kind: .change(name: nil))
      case 4 where !subscribers.isEmpty:
        let index = random.number(below: subscribers.count)
        let (answer, _) = machine.begin(subscribers[index].id, task: nil)
        let taken = subscribers[index].taken
        guard case .transition(let step) = answer else {
          #expect(taken == machine.revision.number, "seed \(seed)")
          continue
        }
        #expect(step.base?.state == taken, "seed \(seed): the chain is broken")
        #expect(step.target.state == step.target.revision.number)
        if !subscribers[index].isStepwise {
          #expect(step.target.revision == machine.revision, "seed \(seed)")
        }
        if let taken {
          let passed = published.filter { $0 > taken && $0 <= step.target.state }
          #expect(step.notes.flatMap(\.self) == passed, "seed \(seed): notes are lost")
        }
        subscribers[index].taken = step.target.state
      case 5 where !subscribers.isEmpty && random.chance(oneIn: 4):
        _ = machine.drop(subscribers.remove(at: random.number(below: subscribers.count)).id)
      default: break
      }
    }
  }
}
