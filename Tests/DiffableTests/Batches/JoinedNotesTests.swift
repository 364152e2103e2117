import Testing

@testable import Diffable

@Suite("What several revisions say together") struct JoinedNotesTests {
  private typealias Notes = TypedRevisionNotes<Int, Int>

  @Test("What the last one says is not confirmed, and all proposals that one has accepted")
  func joined() {
    let sets: [Set<Int>?] = [nil, [], [1], [2]]
    for first in sets {
      for second in sets {
        for third in sets {
          let notes = [first, second, third].map { set in
            var contents = Notes.Contents()
            (contents.unconfirmedItems, contents.proposals) = (set, [WriteID()])
            return Notes(contents)
          }
          let joined = Notes.of(
            notes[0].joined(with: notes.dropFirst().map { $0 as any RevisionNotes })
          ).contents
          #expect(joined.unconfirmedItems == third ?? second ?? first)
          #expect(joined.proposals == notes.flatMap(\.proposals))
        }
      }
    }
  }
}
