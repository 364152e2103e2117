import Diffable
import DiffableTesting
import TestScope
import Testing

@testable import DiffableEngine

/// The machine runs inside a lock, so the last release of a state or a note must not happen there:
/// it would run the `deinit` of an identifier.
@Suite(.deadline) struct ReleasingTests {
  @Test(arguments: [0, 1, 2, 5]) func `The machine releases nothing itself`(length: Int) throws {
    for seed in 0..<UInt64(rounds(400)) {
      let section = CriticalSection()
      do {
        var program = Program(section, historyLength: length, seed: seed)
        for _ in 0..<60 { program.step() }
      }
      #expect(section.releases == 0, "history \(length), seed \(seed)")
      #expect(section.living == 0, "history \(length), seed \(seed)")
    }
  }

  /// Random events for one machine.
  private struct Program {
    typealias Machine = SubscriptionMachine<Tracked, Tracked, Int, Int>

    private let section: CriticalSection
    private var machine: Machine
    private var random: SplitMix64
    private var cursors: [CursorID] = []
    private var count = 0

    init(_ section: CriticalSection, historyLength: Int, seed: UInt64) {
      self.section = section
      random = SplitMix64(seed: seed)
      machine = Machine(historyLength: historyLength, empty: Tracked(section), notesPerGroup: 1)
    }

    mutating func step() {
      count += 1
      switch Int.random(in: 0..<18, using: &random) {
      case 0..<6: publish()
      case 6..<8:
        let policy: UpdatePolicy = Bool.random(using: &random) ? .coalesced : .every(limit: 3)
        cursors.append(inside { machine, _ in machine.subscribe(policy, after: nil) })
      case 8..<11:
        guard let id = cursors.randomElement(using: &random) else { return }
        let answer = inside { $0.begin(id, task: nil, &$1) }
        if case .wait = answer { inside { $0.wait(id, waiter: 0, &$1) } }
      case 11..<13:
        guard let id = cursors.randomElement(using: &random) else { return }
        inside { $0.poll(id, &$1) }
      case 13..<15:
        guard let index = cursors.indices.randomElement(using: &random) else { return }
        let id = cursors.remove(at: index)
        inside { $0.drop(id, &$1) }
      case 15:
        let (state, notes) = (Tracked(section), Tracked(section))
        let jump = Int.random(in: 1..<4, using: &random)
        inside { machine, actions in
          let target = Revision(machine.revision.number + jump)
          return machine.publish(
            state: state, notes: notes, presentation: .animated, kind: .change(name: nil),
            as: target, &actions)
        }
      case 16:
        inside { machine, actions in
          machine.settle(
            machine.revision.next, id: SettlingID(number: 1), task: nil, waiter: 0,
            isCancelled: false, &actions)
        }
      default:
        guard count > 50 else { return }
        let isGone = Bool.random(using: &random)
        inside { isGone ? $0.close(&$1) : $0.finish(&$1) }
      }
    }

    /// Publishes a revision, and joins notes if the machine asks for it, now or after other events.
    private mutating func publish() {
      let notes = Bool.random(using: &random) ? Tracked(section) : nil
      let state = Tracked(section)
      let request = inside {
        $0.publish(
          state: state, notes: notes, presentation: .animated, kind: .change(name: nil), &$1)
      }
      guard let request else { return }
      let joined = Tracked(section)
      if Bool.random(using: &random), let id = cursors.popLast() {
        inside { $0.drop(id, &$1) }
      }
      inside {
        $0.history.replaceNotes(request, by: joined, presentation: .immediate, &$1.released)
      }
    }

    /// Lets the machine process an event inside the lock; what it releases goes outside of it.
    @discardableResult
    private mutating func inside<Result>(
      _ event: (inout Machine, inout Machine.Actions) -> Result
    ) -> Result {
      section.isHeld = true
      let (result, actions) = machine.process(event)
      section.isHeld = false
      return withExtendedLifetime(actions) { result }
    }
  }
}

/// Whether the machine is at work, and what was released meanwhile.
private final class CriticalSection {
  var isHeld = false
  var releases = 0
  var living = 0
}

/// A state or a note that notices when it is released.
///
/// It is `Sendable` for the machine's sake only: the test has one thread.
private final class Tracked: @unchecked Sendable {
  private let section: CriticalSection

  init(_ section: CriticalSection) {
    self.section = section
    section.living += 1
  }

  deinit {
    section.living -= 1
    if section.isHeld { section.releases += 1 }
  }
}
