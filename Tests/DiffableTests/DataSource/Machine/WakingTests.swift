import Diffable
import ListSupport
import Testing

@testable import DiffableEngine

/// A subscriber that is woken goes on, and misses nothing.
@Suite struct WakingTests {
  private enum Event: CaseIterable {
    case publish, wake
  }

  @Test("Whenever it is woken, between the halves of a request as well", arguments: 0..<6)
  func everyOrder(gap: Int) {
    for events in everySequence(of: Event.allCases, length: 6) {
      var machine = SoundMachine(historyLength: 0, empty: 0)
      let id = machine.subscribe(.coalesced, after: nil)
      var (published, taken, isWaiting, wakes) = (0, -1, false, 0)
      /// The subscriber asks; an event may come before it waits.
      func ask(_ machine: inout SoundMachine, between event: (inout SoundMachine) -> Void) {
        let answer = machine.process { $0.begin(id, task: nil, &$1) }.result
        event(&machine)
        switch answer {
        case .transition(let transition): taken = transition.target.revision.number
        case .woken: wakes += 1
        case .ended: Issue.record("\(events) ended")
        case .wait:
          let waiter = Waiter(process: 0, operation: 0)
          let resumed = machine.process { $0.wait(id, waiter: waiter, &$1) }.actions.resumed
          isWaiting = resumed.isEmpty
          note(resumed)
        }
      }
      func note(_ resumed: [(waiter: Waiter, transition: Transition<Int, [Int]>?)]) {
        guard let first = resumed.first else { return }
        isWaiting = false
        if let transition = first.transition {
          taken = transition.target.revision.number
        } else {
          wakes += 1
        }
      }
      func perform(_ event: Event, _ machine: inout SoundMachine) {
        switch event {
        case .publish:
          published += 1
          note(
            machine.process {
              $0.publish(
                state: published, notes: nil, presentation: .animated,
                kind: .change(name: nil), &$1)
            }.actions.resumed)
        case .wake:
          let wasWaiting = isWaiting
          note(machine.process { $0.wake(id, &$1) }.actions.resumed)
          #expect(!wasWaiting || !isWaiting, "\(events): a waiter goes on at once")
        }
      }
      for (index, event) in events.enumerated() {
        if index == gap, !isWaiting {
          ask(&machine) { perform(event, &$0) }
        } else {
          if !isWaiting { ask(&machine) { _ in } }
          perform(event, &machine)
        }
      }
      // It asks until there is nothing.
      while !isWaiting { ask(&machine) { _ in } }
      #expect(taken == published, "\(events), gap \(gap)")
      #expect(wakes > 0 || !events.contains(.wake), "\(events), gap \(gap)")
    }
  }
}
