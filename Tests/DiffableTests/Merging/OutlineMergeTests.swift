import DiffableTesting
import Testing

@testable import Diffable

@Suite("Merges with outlines")
struct OutlineMergeTests {
  private typealias State = Snapshot<Int, Int>

  @Test("into an unchanged base, and of nothing", arguments: 0..<8 as Range<UInt64>)
  func units(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    var base = State()
    for step in 0..<40 {
      var theirs = base
      let edit = generator.outlineEdit(of: base)
      guard (try? edit.apply(to: &theirs)) != nil, (try? theirs.validate()) != nil else { continue }
      let comment: Comment = "seed \(seed), step \(step): \(edit)"
      let merge = try base.merging(theirs, basedOn: base)
      #expect(merge.snapshot == theirs, comment)
      #expect(merge.conflicts == [], comment)
      #expect(try theirs.merging(base, basedOn: base).snapshot == theirs, comment)
      base = theirs.detached
    }
  }

  @Test("undo takes back what was done to outlines", arguments: 0..<6 as Range<UInt64>)
  func undo(seed: UInt64) async throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    let source = try DataSourceActor<Int, Int>()
    for step in 0..<40 {
      let before = await source.snapshot
      let revision = await source.revision
      let edit = generator.outlineEdit(of: before)
      guard let reached = try? await source.update({ try edit.apply(to: &$0) }),
        reached != revision, !generator.random.chance(oneIn: 2)
      else { continue }
      let after = await source.snapshot
      guard after != before else { continue }
      _ = try await source.undo()
      #expect(await source.snapshot == before, "seed \(seed), step \(step): \(edit)")
      _ = try await source.redo()
      #expect(await source.snapshot == after, "seed \(seed), step \(step): \(edit)")
    }
  }

  @Test("the writer's outline counts, with what others did to its list")
  func contradiction() throws {
    var base = State()
    base.appendSections([0])
    var outline = try Outline([1, 2])
    try outline.append([10, 11], to: 1)
    try base.setOutline(outline, forSection: 0)
    var live = base
    live.expandItems([1])
    try live.appendItems([3])
    var theirs = base
    try theirs.insertItems([4], beforeItem: 2)
    let merge = try live.merging(theirs, basedOn: base)
    #expect(merge.conflicts == [.section(0, .outlineChangedTwice)])
    #expect(Set(merge.snapshot.itemIdentifiers).isSuperset(of: [1, 2, 3, 4]))
    try merge.snapshot.validate()
  }
}
