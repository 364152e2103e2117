import Dispatch
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableEngine
@testable import DiffableQueries

extension DifferenceMemo {
  /// Lets no difference be computed until that is over, and says when it begins.
  fileprivate func occupy(_ isOccupied: Flag, until isOver: DispatchSemaphore) {
    isOccupied.raise()
    isOver.wait()
  }
}

extension DerivedSource {
  /// Whether somebody waits for what a followed source shows.
  fileprivate var isAwaitingBase: Bool { feeds.contains { !$0.waiters.isEmpty } }
}

@Suite("A base that takes its time", .deadline) struct LateBaseTests {
  @Test("A question that it has not answered is answered by the base that is set meanwhile")
  func anotherBase() async throws {
    let (base, other) = (Notes(), Notes())
    try await base.apply([Note(id: 1)], section: \.folder)
    try await other.apply([Note(id: 9)], section: \.folder)
    let derived = base.derived { $0.filter { $0.id > 0 } }
    #expect(await derived.snapshot.itemIdentifiers == [1])
    // What two writes have changed together has to be computed.
    for id in 2...3 { try await base.update { try $0.appendItems([Note(id: id)], toSection: 0) } }
    let memo = base.reader.hub.memo
    let (isOccupied, isOver) = (Flag(), DispatchSemaphore(value: 0))
    defer { isOver.signal() }
    Task(executorPreference: QueueExecutor()) { await memo.occupy(isOccupied, until: isOver) }
    try await wait { isOccupied.isRaised }

    let question = Task { await derived.snapshot }
    try await wait { await derived.isAwaitingBase }
    try await derived.setBase(other)
    #expect(try await ended { await question.value }.itemIdentifiers == [9])
  }

  @Test("If that one shows another source, it first catches up, and the former one rests")
  func anotherChain() async throws {
    let (base, other) = (Notes(), Notes())
    try await base.apply([Note(id: 1)], section: \.folder)
    try await other.apply([Note(id: 9)], section: \.folder)
    let middle = base.derived { $0.filter { $0.id > 0 } }
    let derived = middle.derived { $0 }
    #expect(await derived.snapshot.itemIdentifiers == [1])
    for id in 2...3 { try await base.update { try $0.appendItems([Note(id: id)], toSection: 0) } }
    let memo = base.reader.hub.memo
    let (isOccupied, isOver) = (Flag(), DispatchSemaphore(value: 0))
    defer { isOver.signal() }
    Task(executorPreference: QueueExecutor()) { await memo.occupy(isOccupied, until: isOver) }
    try await wait { isOccupied.isRaised }

    let question = Task { await derived.snapshot }
    try await wait { await middle.isAwaitingBase }
    // Nobody has read it yet.
    try await derived.setBase(other.derived { $0 })
    isOver.signal()
    #expect(try await ended { await question.value }.itemIdentifiers == [9])
    try await wait { base.population.subscribers == 0 }
    withExtendedLifetime(middle) {}
  }
}
