import ListSupport
import Testing

@testable import Diffable
@testable import DiffableEngine

/// Subscribers that stay behind, of which some leave.
@Suite struct SkippedRevisionTests {
  private typealias History = RevisionHistory<Int, [Int]>

  @Test("Whoever stays is told of all that it has not seen, whoever leaves", arguments: 0...2)
  func leaving(length: Int) {
    let kinds: [Presentation] = [.immediate, .animated, .reset]
    for presentations in everySequence(of: kinds, length: 4) {
      for choice in 0..<1 << 4 {
        for isNewestFirst in [false, true] {
          var history = History(length: length, empty: 0, notesPerGroup: 1 << 20)
          var released = History.Released()
          // One subscriber stays behind at each revision.
          for (number, presentation) in presentations.enumerated() {
            history.arrive(at: Revision(number))
            _ = history.publish(
              state: number + 1, notes: [number + 1], presentation: presentation,
              kind: .change(name: nil), &released)
          }
          let leavers = (0..<4).filter { choice & 1 << $0 != 0 }
          for number in isNewestFirst ? leavers.reversed() : leavers {
            history.leave(Revision(number), &released)
          }
          let isTold = (0..<4).allSatisfy { number in
            guard !leavers.contains(number) else { return true }
            let told = history.span(after: Revision(number), through: history.live)
            return told.presentation == presentations[number...].max()
              && told.notes.flatMap(\.self) == Array(number + 1...4)
          }
          #expect(isTold, "\(presentations), and \(leavers) leave, newest first: \(isNewestFirst)")
        }
      }
    }
  }

  @Test("What somebody has missed is joined at a cost that follows what is new")
  func joining() {
    var history = History(length: 0, empty: 0, notesPerGroup: 16)
    var released = History.Released()
    history.arrive(at: .empty)
    let count = 20_000
    var cost = 0
    for number in 1...count {
      let request = history.publish(
        state: number, notes: [number], presentation: .animated, kind: .change(name: nil),
        &released)
      released = .init()
      guard let request else { continue }
      let joined = request.notes.flatMap(\.self)
      cost += joined.count
      history.replaceNotes(
        request, by: joined, weight: joined.count, presentation: .immediate, &released)
    }
    let told = history.span(after: .empty, through: history.live).notes
    #expect(told.flatMap(\.self) == Array(1...count))
    #expect(cost < 32 * count, "\(cost)")
    #expect(told.count < count / 16, "\(told.count)")
  }
}
