import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("Nothing can be asked of a derived source whose base has finished", .deadline)
struct EndedBaseTests {
  typealias Derived = DerivedLawTests.Derived

  /// What a source throws, asked for everything that it can be asked for.
  private func errors(_ derived: Derived, other: Notes) async -> [DataSourceError?] {
    var errors: [DataSourceError?] = []
    func ask(_ body: () async throws(DataSourceError) -> Void) async {
      do {
        try await body()
        errors.append(nil)
      } catch {
        errors.append(error)
      }
    }
    await ask { () throws(DataSourceError) in try await derived.setQuery { $0.filter { $0.id > 1 } }
    }
    await ask { () throws(DataSourceError) in try await derived.expandItems([1]) }
    await ask { () throws(DataSourceError) in try await derived.collapseItems([1]) }
    await ask { () throws(DataSourceError) in try await derived.setBase(other) }
    return errors
  }

  @Test("Whether anybody follows it or not", arguments: [false, true])
  func refused(isFollowed: Bool) async throws {
    let (base, other) = (try await Notes.of(.titled(4)), try await Notes.of(.titled(4)))
    let derived = base.derived { $0.filter { $0.id > 0 } }
    var batches = derived.updates().makeAsyncIterator()
    if isFollowed { _ = await batches.next() }
    let state = await derived.snapshot
    await base.finish()
    #expect(await errors(derived, other: other) == Array(repeating: .finished, count: 4))
    #expect(await derived.snapshot == state)
    #expect(other.population.subscribers == 0)
  }

  @Test("Through other sources, too") func chains() async throws {
    let (base, other) = (try await Notes.of(.titled(4)), try await Notes.of(.titled(4)))
    let chain = base.derived { $0 }.derived { $0.filter { $0.id > 0 } }.derived { $0 }
    await base.finish()
    #expect(await errors(chain, other: other) == Array(repeating: .finished, count: 4))
  }

  @Test("Of two that are combined, one may have finished") func two() async throws {
    let made: [(Notes, Notes) -> Derived] = [
      { $0.merged(with: $1) }, { $0.joined(with: $1, by: \.id) { note, _ in note } },
      { $0.derived { $0 }.merged(with: $1.derived { $0 }) }, { $0.intersection($1) },
    ]
    for make in made {
      let (first, second) = (try await Notes.of(.titled(4)), try await Notes.of(.titled(4)))
      let other = try await Notes.of(.titled(4))
      let derived = make(first, second)
      await first.finish()
      try await derived.setQuery { $0.filter { $0.id < 3 } }
      #expect(await derived.snapshot.itemIdentifiers == [0, 1, 2])
      await second.finish()
      #expect(await errors(derived, other: other) == Array(repeating: .finished, count: 4))
    }
  }

  @Test("A new base that has finished shows its last state") func finishedBase() async throws {
    let (base, other) = (try await Notes.of(.titled(4)), try await Notes.of(.titled(4)))
    try await other.apply([Note(id: 9)], section: \.folder)
    await other.finish()
    let derived = base.derived { $0 }
    _ = await derived.snapshot
    try await derived.setBase(other)
    #expect(await derived.snapshot.itemIdentifiers == [9])
    await #expect(throws: DataSourceError.finished) { try await derived.setBase(base) }
  }
}
