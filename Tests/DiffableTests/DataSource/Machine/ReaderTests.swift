import DiffableTesting
import TestScope
import Testing

@testable import Diffable
@testable import DiffableEngine

/// A reader without a cursor, such as the list on top of which pending edits are shown.
@Suite struct ReaderTests {
  typealias Machine = SubscriptionMachine<Int, [Int], Int, Int>

  @Test(
    "A reader is told once of each revision, of those that it knows only if they have left the history",
    arguments: 0..<rounds(200 as UInt64))
  func told(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let length = random.number(below: 5)
    var machine = Machine(historyLength: length, empty: 0)
    var place: Revision?
    _ = machine.process { $0.read(after: nil, except: [], &$1) }
    place = machine.revision
    var presentations: [Int: Presentation] = [:]
    for _ in 0..<20 {
      let base = machine.revision.number
      for number in (base + 1)..<(base + 1 + random.number(below: 8)) {
        let presentation: Presentation = [.immediate, .animated, .inPlace][random.number(below: 3)]
        presentations[number] = presentation
        _ = machine.process {
          $0.publish(
            state: number, notes: [number], presentation: presentation,
            kind: .change(name: nil), &$1)
        }
      }
      let live = machine.revision.number
      let known = (base..<live).map { $0 + 1 }.filter { _ in random.chance(oneIn: 3) }
      let told = (base..<live).map { $0 + 1 }.filter {
        !known.contains($0) || !machine.history.contains(Revision($0))
      }
      let read = machine.process {
        $0.read(after: place, except: known.map(Revision.init), &$1)
      }.result
      place = machine.revision
      #expect(read.notes.flatMap(\.self) == told, "seed \(seed)")
      #expect(read.presentation == told.compactMap { presentations[$0] }.max(), "seed \(seed)")
    }
  }

  @Test("Nothing is kept for a reader that was let go")
  func gone() {
    var machine = Machine(historyLength: 0, empty: 0)
    _ = machine.process { $0.read(after: nil, except: [], &$1) }
    var released: [Int] = []
    func publish(_ numbers: ClosedRange<Int>) {
      for number in numbers {
        let actions = machine.process {
          $0.publish(
            state: number, notes: [number], presentation: .animated, kind: .change(name: nil), &$1)
        }.actions
        released += actions.released.notes.flatMap(\.self)
      }
    }
    publish(1...4)
    #expect(released.isEmpty)
    let actions = machine.process { $0.history.leave(.empty, &$1.released) }.actions
    released += actions.released.notes.flatMap(\.self)
    publish(5...6)
    #expect(released == [1, 2, 3, 4, 5])
  }
}
