import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("A derived list shows a change as its writer wants, and knows what it shows", .deadline)
struct DerivedPresentationTests {
  private typealias Derived = DerivedLawTests.Derived

  private static let presentations: [Presentation] = [.immediate, .animated, .inPlace, .reset]

  /// What changes a derived list.
  private enum Act: CaseIterable {
    case write, query, later, fold, unfold

    func perform(_ base: Notes, _ list: Derived, _ presentation: Presentation) async throws {
      switch self {
      case .write:
        try await base.update(presentation: presentation) {
          try $0.appendItems([Note(id: 10)], toSection: 0)
        }
      case .query:
        try await list.setQuery(presentation: presentation) {
          DerivedPresentationTests.tree($0.filter { $0.id != 4 })
        }
      case .later:
        try await list.setQuery(after: .zero, presentation: presentation) {
          DerivedPresentationTests.tree($0.filter { $0.id != 4 })
        }
      case .fold: try await list.collapseItems([0], presentation: presentation)
      case .unfold: try await list.expandItems([2], presentation: presentation)
      }
    }
  }

  private static func tree(_ query: QueryScript.Query) -> QueryScript.Query {
    query.outlined { $0.id == 1 || $0.id == 3 ? $0.id - 1 : nil }
  }

  @Test("What comes together is shown as the strongest of it", arguments: presentations)
  func strongest(first: Presentation) async throws {
    for second in Self.presentations {
      for (act, other) in Act.allCases.flatMap({ act in Act.allCases.map { (act, $0) } }) {
        let base = try await Notes.of((0..<5).map { Note(id: $0) })
        let list = base.derived(options: .strict) { Self.tree($0) }
        try await list.collapseItems([2])
        var batches = list.updates().makeAsyncIterator()
        #expect(await batches.next()?.snapshot.itemIdentifiers == [0, 1, 2, 4])
        try await act.perform(base, list, first)
        if act != other { try await other.perform(base, list, second) }
        let expected = act == other ? first : max(first, second)
        let batch = try #require(await batches.next())
        #expect(batch.presentation == expected, "\(act) \(first), \(other) \(second)")
        var shown: Set = [0, 1, 2, 4]
        for act in [act, other] {
          switch act {
          case .write: shown.insert(10)
          case .query, .later: shown.remove(4)
          case .fold: shown.remove(1)
          case .unfold: shown.insert(3)
          }
        }
        #expect(batch.snapshot.itemIdentifiers == shown.sorted(), "\(act), \(other)")
      }
    }
  }

  @Test("Whatever is between the writer and the list", arguments: presentations)
  func between(presentation: Presentation) async throws {
    let (base, other) = (try await Notes.of(.some), try await Notes.of([Note(id: 50)]))
    let lists: [(String, Derived)] = [
      ("two queries", base.derived { $0.filter { $0.id != 3 } }.derived { $0.sorted(by: \.id) }),
      ("merged", base.merged(with: other)), ("merged with it", other.merged(with: base)),
      ("subtracting", base.subtracting(other)),
      ("joined", base.joined(with: other, by: \.id) { note, _ in note }),
      (
        "joined with it",
        other.joined(withMany: base, by: { _ in 50 }) { Note(id: $0.id, text: $1.count) }
      ),
    ]
    for (name, list) in lists {
      var batches = list.updates().makeAsyncIterator()
      _ = await batches.next()
      let row = 100 + (await base.snapshot.numberOfItems)
      try await base.update(presentation: presentation) {
        try $0.appendItems([Note(id: row)], toSection: 0)
      }
      #expect(await batches.next()?.presentation == presentation, "\(name)")
    }
  }

  @Test("Each state that is kept is of a revision of the base, and no other one is")
  func revisions() async throws {
    let base = Notes(options: SourceOptions(history: 5))
    try await base.update { $0.appendSections([0]) }
    let list = base.derived(options: .strict) { $0.filter { $0.id >= 0 } }
    var shows: [Revision: Revision] = [:]
    for number in 0..<40 {
      // Some rows are not shown: the list is of a newer revision then, and has none of its own.
      let row = number % 3 == 2 ? -number : number
      try await base.update { try $0.appendItems([Note(id: row)], toSection: 0) }
      // Now and then nobody looks.
      if number % 5 == 4 { continue }
      shows[await list.revision] = await base.revision
      for (revision, expected) in shows {
        let isKept = list.reader.hub.state(at: revision) != nil
        let found = await list.baseRevision(of: revision)
        #expect(found == (isKept ? expected : nil), "\(revision) after \(number) writes")
      }
      #expect(await list.baseRevision(of: list.revision.next) == nil)
    }
  }

  @Test("A state of two lists is of a revision of each, in their order")
  func revisionsOfTwo() async throws {
    let (first, second) = (try await Notes.of([Note(id: 0)]), try await Notes.of([Note(id: 100)]))
    let lists = [
      first.merged(with: second), first.subtracting(second),
      first.joined(with: second, by: \.id) { note, _ in note },
    ]
    for number in 1..<8 {
      let source = number.isMultiple(of: 3) ? first : second
      try await source.update { try $0.appendItems([Note(id: number)], toSection: 0) }
      let expected = await [first.revision, second.revision]
      for list in lists {
        let shown = await list.revision
        #expect(await list.baseRevisions(of: shown) == expected, "after \(number) writes")
        #expect(await list.baseRevision(of: shown) == expected[0], "after \(number) writes")
      }
    }
  }
}
