import ListSupport
import Testing

@testable import DiffableViews

@Suite("One drag at a time begins, and none that is over already")
struct DragStateTests {
  private enum Event: CaseIterable {
    case request, allow, refuse, callOff, moveByTheView, end
  }

  @Test("In every order of requests, answers and ends, old requests included")
  func everyOrder() {
    for events in everySequence(of: Event.allCases, length: 6) {
      var state = DragState<UInt64>()
      // What the user wants, in other words: the requests that are not decided, and the last of them.
      var (last, undecided, wanted, begun) = (UInt64(0), [UInt64](), UInt64?.none, UInt64?.none)
      for event in events {
        switch event {
        case .request:
          last += 1
          let isPossible = wanted == nil && begun == nil
          #expect(state.request(last) == isPossible, "\(events)")
          if isPossible {
            undecided.append(last)
            wanted = last
          }
        case .allow:
          guard !undecided.isEmpty else { continue }
          let number = undecided.removeFirst()
          // The turn of a request comes when no drag has it.
          guard begun == nil else { continue }
          #expect(state.begin(number, requested: number) == (wanted == number), "\(events)")
          if wanted == number { (begun, wanted) = (number, nil) }
        case .refuse:
          guard !undecided.isEmpty else { continue }
          let number = undecided.removeFirst()
          state.forget(number)
          if wanted == number { wanted = nil }
        case .callOff:
          #expect(state.callOff() == wanted, "\(events)")
          wanted = nil
        case .moveByTheView:
          // A request waits for its end.
          guard begun == nil else { continue }
          (state.reordering, begun) = (0, 0)
        case .end:
          (state.reordering, begun) = (nil, nil)
        }
        #expect(state.requested == wanted && state.reordering == begun, "\(events)")
      }
    }
  }
}
