import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable

@Suite("Models that change while their rows move far apart")
struct ScatteredChangeTests {
  /// Enough rows for leaves that are looked up one by one, and then at once.
  @Test(
    "A batch names exactly the rows whose models changed", arguments: [10, 700, 6_000], [1, 3])
  func shuffled(count: Int, sections: Int) async throws {
    var random = SplitMix64(seed: UInt64(count))
    let source = Notes()
    var rows = (0..<count).map { Note(id: $0) }
    try await source.apply(rows) { Folder($0.id % sections) }
    var batches = source.updates(.every(limit: 9)).makeAsyncIterator()
    _ = await batches.next()
    for round in 1...3 {
      rows = random.shuffled(rows)
      let changed = Set((0..<count).filter { _ in random.chance(oneIn: 5) })
      for index in rows.indices where changed.contains(rows[index].id) { rows[index].text = round }
      try await source.apply(rows) { Folder($0.id % sections) }
      let batch = try #require(await batches.next())
      let found = batch.update.difference.itemReconfigures
        .compactMap(batch.update.snapshot.itemIdentifier(for:))
      #expect(Set(found) == changed, "round \(round)")
      #expect(Set(batch.models.keys) == changed)
      #expect(batch.models.allSatisfy { $0.value.text == round })
    }
  }
}
