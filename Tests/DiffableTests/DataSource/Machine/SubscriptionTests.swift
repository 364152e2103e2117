import DiffableTesting
import ListSupport
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

/// A throttled subscriber receives nothing for an interval, but hears of everything else.
///
/// One that is woken goes on, and misses nothing.
@Suite struct PausingTests {
  private enum Event: CaseIterable {
    case publish, wake, endPause, endFormerPause, drop, finish
  }

  /// A subscriber that requests transitions one after another, as the task of a stream does.
  private struct Subscriber {
    enum Phase: Equatable {
      /// It is about to wait for the end of the interval, or to request something.
      case ready
      case pausing
      case waiting
      case ended
    }

    var machine = SoundMachine(historyLength: 0, empty: 0)
    let id: CursorID
    let isThrottled: Bool
    var phase = Phase.ready
    var pause: Revision?
    var former: Revision?
    var taken = -1
    var wakes = 0

    init(isThrottled: Bool) {
      self.isThrottled = isThrottled
      id = machine.subscribe(
        isThrottled ? .coalesced(throttle: .seconds(1)) : .coalesced, after: nil)
    }

    /// Goes on until it waits for something.
    ///
    /// - Parameter event: What comes between the halves of the first request that has to wait.
    mutating func run(between event: ((inout Subscriber) -> Void)? = nil) {
      var event = event
      while phase == .ready {
        if let pause {
          phase = .pausing
          let (id, waiter) = (id, Waiter(process: 0, operation: 0))
          process { $0.pause(id, after: pause, waiter: waiter, &$1) }
        } else {
          request(&event)
        }
      }
    }

    private mutating func request(_ event: inout ((inout Subscriber) -> Void)?) {
      let id = id
      switch machine.process({ $0.begin(id, task: nil, &$1) }).result {
      case .transition(let transition): receive(transition)
      case .woken: wakes += 1
      case .ended: phase = .ended
      case .wait:
        event?(&self)
        event = nil
        phase = .waiting
        process { $0.wait(id, waiter: Waiter(process: 0, operation: 1), &$1) }
      }
    }

    private mutating func receive(_ transition: Step) {
      if isThrottled { (former, pause) = (pause ?? former, transition.target.revision) }
      taken = transition.target.revision.number
      phase = .ready
    }

    /// Lets the machine process an event, and follows what comes of it.
    mutating func process<Result>(
      _ event: (inout SoundMachine, inout SoundMachine.Actions) -> Result
    ) {
      let actions = machine.process(event).actions
      for (_, transition) in actions.resumed {
        switch phase {
        case .pausing:
          #expect(transition == nil, "it is given something during the interval")
          phase = .ready
          if machine.cursors[id] == nil {
            phase = .ended
          } else if machine.isInterrupted(id) {
            wakes += 1
          } else {
            (former, pause) = (pause, nil)
          }
        case .waiting:
          phase = .ready
          if let transition {
            receive(transition)
          } else if machine.cursors[id] == nil {
            phase = .ended
          } else {
            wakes += 1
          }
        case .ready, .ended: Issue.record("it is resumed twice")
        }
      }
    }
  }

  @Test("In every order of events it is woken and dropped at once, and served after the interval")
  func everyOrder() {
    for events in everySequence(of: Event.allCases, length: scoped(usual: 5, wide: 6)) {
      var subscriber = Subscriber(isThrottled: true)
      var (published, isFinished, isDropped) = (0, false, false)
      for event in events {
        subscriber.run()
        let (wakes, taken, phase) = (subscriber.wakes, subscriber.taken, subscriber.phase)
        let id = subscriber.id
        switch event {
        case .publish:
          if !isFinished { published += 1 }
          subscriber.process {
            $0.publish(
              state: published, notes: nil, presentation: .animated, kind: .change(name: nil), &$1)
          }
          if phase == .pausing { #expect(subscriber.taken == taken, "\(events)") }
        case .wake:
          subscriber.process { $0.wake(id, &$1) }
          if phase != .ended { #expect(subscriber.wakes == wakes + 1, "\(events)") }
        case .endPause:
          if let pause = subscriber.pause {
            subscriber.process { $0.endPause(id, after: pause, &$1) }
          }
          #expect(subscriber.phase != .pausing, "\(events)")
        case .endFormerPause:
          if let former = subscriber.former, former != subscriber.pause {
            subscriber.process { $0.endPause(id, after: former, &$1) }
          }
          #expect(subscriber.phase == phase, "\(events)")
        case .drop:
          isDropped = true
          subscriber.process { $0.drop(id, &$1) }
          #expect(subscriber.phase == .ended, "\(events)")
        case .finish:
          isFinished = true
          subscriber.process { $0.finish(&$1) }
          #expect((phase == .pausing) == (subscriber.phase == .pausing), "\(events)")
        }
      }
      // Its intervals end, and it has everything.
      for _ in 0..<3 {
        subscriber.run()
        if let pause = subscriber.pause {
          let id = subscriber.id
          subscriber.process { $0.endPause(id, after: pause, &$1) }
        }
      }
      #expect(isDropped || subscriber.taken == published, "\(events)")
      #expect(subscriber.phase == (isDropped || isFinished ? .ended : .waiting), "\(events)")
    }
  }

  @Test("Whoever waits for the end of an interval goes on if a poll begins another one")
  func polling() {
    var machine = SoundMachine(historyLength: 0, empty: 0)
    let id = machine.subscribe(.coalesced(throttle: .seconds(1)), after: nil)
    _ = machine.process { $0.begin(id, task: nil, &$1) }
    let waiter = Waiter(process: 0, operation: 0)
    let pausing = machine.process { $0.pause(id, after: .empty, waiter: waiter, &$1) }
    #expect(pausing.actions.resumed.isEmpty)
    _ = machine.process {
      $0.publish(state: 1, notes: nil, presentation: .animated, kind: .change(name: nil), &$1)
    }
    let (transition, actions) = machine.process { $0.poll(id, &$1) }
    #expect(transition?.target.revision == Revision(1))
    #expect(actions.resumed.map(\.waiter) == [waiter])
    #expect(actions.resumed.allSatisfy { $0.transition == nil })
  }

  @Test("Whenever it is woken, between the halves of a request as well", arguments: 0..<6)
  func betweenHalves(gap: Int) {
    for events in everySequence(of: [Event.publish, .wake], length: 6) {
      var (subscriber, published) = (Subscriber(isThrottled: false), 0)
      let comment: Comment = "\(events), gap \(gap)"
      for (index, event) in events.enumerated() {
        func perform(_ subscriber: inout Subscriber) {
          let id = subscriber.id
          guard event == .publish else { return subscriber.process { $0.wake(id, &$1) } }
          published += 1
          subscriber.process {
            $0.publish(
              state: published, notes: nil, presentation: .animated, kind: .change(name: nil), &$1)
          }
        }
        guard index != gap else {
          subscriber.run(between: perform)
          continue
        }
        subscriber.run()
        perform(&subscriber)
        // A waiter goes on at once.
        #expect(subscriber.phase == .ready, comment)
      }
      subscriber.run()
      #expect(subscriber.taken == published, comment)
      #expect(subscriber.wakes > 0 || !events.contains(.wake), comment)
    }
  }
}
