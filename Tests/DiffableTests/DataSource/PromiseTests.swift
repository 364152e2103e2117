import ListSupport
import TestScope
import Testing

@testable import DiffableEngine

@Suite("A promise is fulfilled, or failed by whoever drops it", .deadline)
struct PromiseTests {
  private enum Event: CaseIterable {
    case fulfil, fulfilAgain, drop, waits, waitsToo
  }

  @Test("In every order of events, all who wait receive the same value")
  func everyOrder() async throws {
    for count in 1...Event.allCases.count {
      for order in everyPermutation(of: Array(Event.allCases.suffix(count))) {
        var promise: Promise<Int>? = Promise(otherwise: 0)
        let promised = try #require(promise?.promised)
        var (expected, waiting) = (Int?.none, [Task<Int, Never>]())
        func fulfil(_ value: Int) {
          guard let promise else { return }
          promise.fulfil(value)
          expected = expected ?? value
        }
        for event in order {
          switch event {
          case .fulfil: fulfil(1)
          case .fulfilAgain: fulfil(2)
          case .drop:
            promise = nil
            expected = expected ?? 0
          case .waits, .waitsToo:
            waiting.append(Task { await promised.value })
            // In most runs it waits when the next event comes; what it receives is the same in all.
            await Task.yield()
          }
        }
        promise = nil
        for task in waiting {
          #expect(try await ended { await task.value } == expected ?? 0, "\(order)")
        }
        #expect(await promised.value == expected ?? 0, "\(order)")
      }
    }
  }

  @Test("Those who wait do not keep the promise")
  func isNotHeld() async throws {
    weak var kept: Promise<Int>?
    func begin() -> Task<Int, Never> {
      let promise = Promise(otherwise: 7)
      kept = promise
      let promised = promise.promised
      return Task { await promised.value }
    }
    let task = begin()
    #expect(kept == nil)
    #expect(try await ended { await task.value } == 7)
  }
}
