import ListSupport
import Testing
import TestScope

@testable import Diffable
@testable import DiffableQueries

@Suite("No source follows itself", .deadline) struct CircleTests {
  typealias Derived = DerivedLawTests.Derived

  @Test("Two that begin to follow each other: one of them is refused", arguments: 0..<rounds(200))
  func race(round: Int) async throws {
    let base = try await Notes.of(.titled(4))
    let sources = [base.derived { $0 }, base.derived { $0 }, base.derived { $0 }]
    // Each wants to follow the next one.
    let refused = await withTaskGroup(of: Int.self) { group in
      for index in sources.indices {
        group.addTask {
          do {
            try await sources[index].setBase(sources[(index + 1) % 3])
            return 0
          } catch {
            return error as? DataSourceError == .followsItself ? 1 : 10
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(refused == 1)
    for source in sources { #expect(await source.snapshot.numberOfItems == 4) }
  }

  @Test("A circle is found through each of the sources that are followed")
  func everyWay() async throws {
    let base = try await Notes.of(.titled(4))
    let (first, other): (Derived, Derived) = (base.derived { $0 }, base.derived { $0 })
    for merged in [first.merged(with: other), other.merged(with: first)] {
      await #expect(throws: DataSourceError.followsItself) { try await first.setBase(merged) }
    }
  }

  @Test("Looking for circles costs as much as there are sources, not as there are ways")
  func diamonds() async throws {
    let base = try await Notes.of(.titled(4))
    var top: Derived = base.derived { $0 }
    let first = top
    for _ in 0..<64 { top = top.merged(with: top) }
    await #expect(throws: DataSourceError.followsItself) { try await first.setBase(top) }
    await base.finish()
    await #expect(throws: DataSourceError.finished) { try await top.setQuery { $0 } }
  }

  @Test("A source that is gone is not held by those that followed it") func released() async throws
  {
    let base = try await Notes.of(.titled(4))
    weak var former: Derived?
    let derived: Derived
    do {
      let middle: Derived = base.derived { $0 }
      former = middle
      derived = middle.derived { $0 }
      _ = await derived.snapshot
    }
    #expect(former != nil)
    try await derived.setBase(base)
    #expect(await derived.snapshot.numberOfItems == 4)
    try await wait { former == nil }
  }
}
