import ListSupport
import Synchronization
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

@Suite("What changes that wait remember of the rows of others")
struct RememberedRowTests {
  @Test(
    "Renames of rows that nobody shows cost a few questions each, although several changes wait",
    .enabled(if: !checksInvariants))
  func unknownRows() throws {
    func questions(_ count: Int) throws -> Int {
      let counter = IdentifierCounter()
      func item(_ number: Int) -> CountedIdentifier {
        CountedIdentifier(number: number, counter: counter)
      }
      let (first, second) = (item(1), item(2))
      let kernels = Snapshot<Int, CountedIdentifier>.makeKernels()
      let server = SourceCore<Int, CountedIdentifier>(
        SourceOptions(), kernels: kernels, children: nil)
      let list = EditedList<UpdateBatch<Int, CountedIdentifier>>.unread(kernels)
      var start = Snapshot<Int, CountedIdentifier>()
      start.appendSections([0])
      try start.appendItems([first, second])
      try server.begin(with: start)
      let whole = UpdateDelta(
        UpdateBatch(showingValid: server.snapshot, epoch: server.hub.epoch, at: server.place))
      _ = try list.apply { () throws(DeltaError) in whole }
      for _ in 0..<4 {
        _ = try list.add(
          { state, _, _ in
            try state.moveItem(second, beforeItem: first)
            return Contradictions()
          }, named: nil, .animated)
      }
      try server.begin(ifRevision: nil)
      try server.transact(.animated) {
        try server.live.update(duplicates: .reject) { state, _ in try state.reloadItems([first]) }
      }
      let reader = RevisionReader<Int, CountedIdentifier>(hub: server.hub)
      let honest = UpdateDelta(try #require(reader.batch(since: Revision(1), limit: .max)))
      let forged = UpdateDelta(
        frame: honest.frame, sections: honest.sections, items: honest.items,
        outlines: honest.outlines,
        renamedItems: (10..<10 + count).map {
          ItemRename(old: item($0), new: item($0 + 100_000))
        }, placed: honest.placed, droppedItems: [], droppedSections: [])
      counter.reset()
      _ = try list.apply { () throws(DeltaError) in forged }
      return counter.hashCount + counter.comparisonCount
    }
    let (few, many) = (try questions(100), try questions(1_000))
    #expect(many < 20 * few, "\(few) for 100 renames, \(many) for 1,000")
  }
}
