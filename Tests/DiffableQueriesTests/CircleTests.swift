import ListSupport
import Testing
import TestScope

@testable import Diffable
@testable import DiffableQueries

@Suite("No source follows itself", .deadline) struct CircleTests {
  typealias Derived = DerivedLawTests.Derived

  private static func makeBase() async throws -> Notes {
    let base = Notes()
    try await base.apply((0..<4).map { Note(id: $0, title: $0) }, section: \.folder)
    return base
  }

  @Test("Neither directly nor through others") func refused() async throws {
    let (base, other) = (try await Self.makeBase(), try await Self.makeBase())
    let first = base.derived { $0.filter { $0.id > 0 } }
    let second = first.derived { $0 }
    let followers: [Derived] = [
      first, second, second.derived { $0 }, other.merged(with: first), second.merged(with: other),
      other.joined(with: second, by: \.id) { note, _ in note },
      other.merged(with: second.derived { $0 }).derived { $0 },
    ]
    let state = await first.snapshot
    for follower in followers {
      await #expect(throws: DataSourceError.followsItself) { try await first.setBase(follower) }
      #expect(await first.snapshot == state)
    }
    try await base.setModel(Note(id: 1, text: 7))
    #expect(await first.snapshot.model(of: 1, as: Note.self)?.text == 7)
    // What does not follow it can be its base, and then the others can be followed by that.
    try await second.setBase(other)
    try await first.setBase(second)
    #expect(await first.snapshot.itemIdentifiers == [1, 2, 3])
    await #expect(throws: DataSourceError.followsItself) { try await second.setBase(first) }
    try await first.setBase(other)
    try await second.setBase(first)
    #expect(await second.snapshot.itemIdentifiers == [1, 2, 3])
  }

  @Test("Two that begin to follow each other: one of them is refused", arguments: 0..<rounds(200))
  func race(round: Int) async throws {
    let base = try await Self.makeBase()
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

  @Test("Looking for circles costs as much as there are sources, not as there are ways")
  func diamonds() async throws {
    let base = try await Self.makeBase()
    var top: Derived = base.derived { $0 }
    let first = top
    for _ in 0..<64 { top = top.merged(with: top) }
    await #expect(throws: DataSourceError.followsItself) { try await first.setBase(top) }
    await base.finish()
    await #expect(throws: DataSourceError.finished) { try await top.setQuery { $0 } }
  }

  @Test("A source that is gone is not held by those that followed it") func released() async throws
  {
    let base = try await Self.makeBase()
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
