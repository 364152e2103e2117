import DiffableTesting
import TestScope
import Testing

@testable import Diffable

/// Every two calls of a source that tasks can make at the same time.
///
/// The order in which they meet differs from run to run. What is checked holds for each order.
@Suite("Two calls at the same time do what one after the other does", .deadline) struct PairTests {
  /// Makes one call together with each call that comes later in the table, and with itself.
  private func check<Subject: PairSubject>(_ call: PairCall, of subject: Subject.Type) async throws
  {
    guard let index = Subject.calls.firstIndex(of: call) else { return }
    for other in Subject.calls[index...] {
      for seed in 0..<rounds(UInt64(3)) {
        let run = PairRun<Subject>(calls: [call, other, call], seed: seed)
        try await ended("\(Subject.self): \(call), \(other), seed \(seed)") {
          try await run.check()
        }
      }
    }
  }

  @Test("A source of identifiers", arguments: EditableSubject<DataSourceActor<Int, Int>>.calls)
  func identifiers(_ call: PairCall) async throws {
    try await check(call, of: EditableSubject<DataSourceActor<Int, Int>>.self)
  }

  @Test("A source of models", arguments: EditableSubject<ModelSource<Int, PairRow>>.calls)
  func models(_ call: PairCall) async throws {
    try await check(call, of: EditableSubject<ModelSource<Int, PairRow>>.self)
  }

  @Test("A replicated source", arguments: ReplicatedSubject.calls)
  func replicated(_ call: PairCall) async throws {
    try await check(call, of: ReplicatedSubject.self)
  }

  @Test("An optimistic source", arguments: OptimisticSubject.calls)
  func optimistic(_ call: PairCall) async throws {
    try await check(call, of: OptimisticSubject.self)
  }

  @Test("A mirror", arguments: MirrorSubject.calls)
  func mirror(_ call: PairCall) async throws {
    try await check(call, of: MirrorSubject.self)
  }

  @Test("A derived source", arguments: DerivedSubject.calls)
  func derived(_ call: PairCall) async throws {
    try await check(call, of: DerivedSubject.self)
  }
}
