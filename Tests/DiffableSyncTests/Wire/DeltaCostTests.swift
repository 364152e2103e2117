import Diffable
import DiffableSync
import DiffableTesting
import ListSupport
import Synchronization
import Testing

/// What a delta costs does not depend on what stays.
@Suite struct DeltaCostTests {
  @Test(.enabled(if: !checksInvariants), arguments: [false, true])
  func `As many identifiers are hashed and compared, however long the list is`(
    isOutline: Bool
  ) async throws {
    func questions(_ size: Int) async throws -> Int {
      let counter = IdentifierCounter()
      func items(_ numbers: Range<Int>) -> [CountedIdentifier] {
        numbers.map { CountedIdentifier(number: $0, counter: counter) }
      }
      var snapshot = Snapshot<String, CountedIdentifier>()
      snapshot.appendSections(["list", "other"])
      if isOutline {
        var outline = Outline<CountedIdentifier>()
        try outline.append(items(0..<10))
        try outline.append(items(10..<size), to: items(5..<6)[0])
        try snapshot.setOutline(outline, forSection: "list")
      } else {
        try snapshot.appendItems(items(0..<size), toSection: "list")
      }
      var sequence = BatchSequence<String, CountedIdentifier>()
      let mirror = MirrorSource<UpdateBatch<String, CountedIdentifier>>(
        options: SourceOptions(history: 0))
      _ = try sequence.next(snapshot)
      try await mirror.apply(UpdateDelta(sequence.reset()))
      var count = 0
      for step in 0..<4 {
        var next = sequence.snapshot
        try next.insertItems(items(size + step..<size + step + 1), beforeItem: items(3..<4)[0])
        try next.moveItem(items(7..<8)[0], afterItem: items(step..<step + 1)[0])
        next.deleteItems(items(40 + step..<41 + step))
        let batch = try sequence.next(next)
        counter.reset()
        try await mirror.apply(UpdateDelta(batch))
        count +=
          counter.hashes.load(ordering: .relaxed) + counter.comparisons.load(ordering: .relaxed)
        #expect(await mirror.snapshot == sequence.snapshot)
      }
      return count
    }
    let (few, many) = (try await questions(500), try await questions(20_000))
    #expect(many < few * 2 + 200, "\(few) for 500 items, \(many) for 20,000")
  }
}
