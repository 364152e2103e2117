import DiffableTesting
import TestScope
import Testing

@testable import Diffable
@testable import DiffableEngine

/// A source that continues with a later revision: subscribers get one transition over the gap.
@Suite struct JumpTests {
  private struct Subscriber {
    let id: CursorID
    var taken: Int?
    let isStepwise: Bool
    var isWaiting = false
  }

  @Test("Publications, jumps and subscribers in random order", arguments: 0..<rounds(UInt64(40)))
  func random(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let length = random.number(below: 5)
    var machine = SoundMachine(historyLength: length, empty: 0, notesPerGroup: 1 << 20)
    var published: [Int] = []
    var subscribers: [Subscriber] = []
    /// Takes what a subscriber is given.
    func take(_ step: Step, as index: Int) {
      let taken = subscribers[index].taken
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
    }
    /// Whoever waits is woken by whatever comes.
    func wake(_ actions: SoundMachine.Actions) {
      let waiting = subscribers.filter(\.isWaiting).map(\.id)
      #expect(Set(actions.resumed.map(\.waiter.process)) == Set(waiting.map { Int($0.number) }))
      for (waiter, step) in actions.resumed {
        let index = subscribers.firstIndex { Int($0.id.number) == waiter.process }
        guard let index, let step else {
          Issue.record("seed \(seed): woken for nothing")
          continue
        }
        subscribers[index].isWaiting = false
        take(step, as: index)
      }
    }
    for _ in 0..<120 {
      switch random.number(below: 6) {
      case 0:
        let isStepwise = random.chance(oneIn: 2)
        let after = random.number(below: machine.revision.number + 2)
        let revision = random.chance(oneIn: 2) ? Revision(after) : nil
        let isKnown = revision.map { machine.state(at: $0) != nil } ?? false
        let id = machine.subscribe(isStepwise ? .every(limit: 3) : .coalesced, after: revision)
        subscribers.append(
          Subscriber(id: id, taken: isKnown ? after : nil, isStepwise: isStepwise))
      case 1:
        let next = Revision(machine.revision.number + 2 + random.number(below: 6))
        published.append(next.number)
        wake(
          machine.process {
            $0.publish(
              state: next.number, notes: [next.number], presentation: .animated,
              kind: .change(name: nil), as: next, &$1)
          }.actions)
        #expect(machine.state(at: Revision(next.number - 1)) == nil)
        #expect(machine.reversible(.undo, .everything) == nil, "seed \(seed)")
      case 2, 3:
        let next = machine.revision.number + 1
        published.append(next)
        wake(
          machine.process {
            $0.publish(
              state: next, notes: [next], presentation: .animated, kind: .change(name: nil), &$1)
          }.actions)
      case 4 where !subscribers.isEmpty:
        let index = random.number(below: subscribers.count)
        guard !subscribers[index].isWaiting else { continue }
        let id = subscribers[index].id
        let answer = machine.process { $0.begin(id, task: nil, &$1) }.result
        guard case .transition(let step) = answer else {
          #expect(subscribers[index].taken == machine.revision.number, "seed \(seed)")
          if random.chance(oneIn: 2) {
            let waiter = Waiter(process: Int(id.number), operation: 0)
            let actions = machine.process { $0.wait(id, waiter: waiter, &$1) }.actions
            #expect(actions.resumed.isEmpty, "seed \(seed)")
            subscribers[index].isWaiting = true
          }
          continue
        }
        take(step, as: index)
      case 5 where !subscribers.isEmpty && random.chance(oneIn: 4):
        let id = subscribers.remove(at: random.number(below: subscribers.count)).id
        _ = machine.process { $0.drop(id, &$1) }
      default: break
      }
    }
  }

  @Test("Notes for a subscriber that asks for nothing are joined, also if the source only jumps")
  func notes() {
    var machine = SoundMachine(historyLength: 2, empty: 0)
    let id = machine.subscribe(.coalesced, after: nil)
    _ = machine.process { $0.begin(id, task: nil, &$1) }
    for number in 1...200 {
      let request = machine.process {
        $0.publish(
          state: number, notes: [number], presentation: .animated, kind: .change(name: nil),
          as: Revision(number * 2), &$1)
      }.result
      guard let request else { continue }
      _ = machine.process {
        $0.history.replaceNotes(
          request, by: request.notes.flatMap(\.self), presentation: .immediate, &$1.released)
      }
    }
    let answer = machine.process { $0.begin(id, task: nil, &$1) }.result
    guard case .transition(let step) = answer else {
      Issue.record("nothing to show")
      return
    }
    #expect(step.notes.flatMap(\.self) == Array(1...200))
    #expect(step.notes.count < 40)
  }
}
