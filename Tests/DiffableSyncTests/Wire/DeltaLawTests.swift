import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import Testing
import TestScope

/// A follower that reads what was written shows what the source shows.
@Suite("A delta that was written and read leads from its base to its target") struct DeltaLawTests {
  /// A value as it comes out at the other end.
  static func sent<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  /// A delta as it comes out at the other end.
  static func sent<Section: Codable, Item: Codable>(
    _ delta: UpdateDelta<Section, Item>
  ) throws -> UpdateDelta<Section, Item> {
    try sent(delta, as: delta.json { try Array(JSONEncoder().encode($0)) })
  }

  static func sent<Section: Codable, Model: Codable>(
    _ delta: ModelDelta<Section, Model>
  ) throws -> ModelDelta<Section, Model> where Model.ID: Codable {
    try sent(delta, as: delta.json { try Array(JSONEncoder().encode($0)) })
  }

  /// Reads a text of the package, which says the same as the one of an encoder.
  private static func sent<Delta: Codable>(_ delta: Delta, as text: [UInt8]) throws -> Delta {
    let text = Data(text)
    func value(_ text: Data) throws -> NSDictionary? {
      try JSONSerialization.jsonObject(with: text) as? NSDictionary
    }
    let (written, expected) = try (value(text), value(JSONEncoder().encode(delta)))
    if written == nil || written != expected {
      Issue.record("\(String(decoding: text, as: UTF8.self)) is another text of \(delta)")
    }
    return try JSONDecoder().decode(Delta.self, from: text)
  }

  /// Sends a batch to a mirror that holds its base; the mirror shows what the batch does.
  static func follow<Section, Item>(
    _ list: inout Mirrored<UpdateBatch<Section, Item>>, _ batch: UpdateBatch<Section, Item>,
    _ comment: @autoclosure () -> Comment
  ) async throws where Section: Codable, Item: Codable {
    let delta = UpdateDelta(batch)
    let read = try sent(delta)
    if read != delta { Issue.record("written and read it is another: \(comment())") }
    let shown = try await list.apply(read)
    let (snapshot, token) = await (list.snapshot, list.token)
    if snapshot != batch.snapshot || token != batch.token {
      Issue.record("\(snapshot): \(comment())")
    }
    try snapshot.validate()
    if let shown { try check(shown, batch, comment()) }
    if shown == nil, !batch.difference.isEmpty { Issue.record("nothing is shown: \(comment())") }
    // A mirror that starts from the whole state is the same.
    if batch.target.number % 5 == 1, let state = await list.mirror.wholeState {
      var other = Mirrored<UpdateBatch<Section, Item>>()
      try await other.apply(sent(state))
      let (otherSnapshot, otherToken) = await (other.snapshot, other.token)
      if otherSnapshot != snapshot || otherToken != token {
        Issue.record("the whole state is another: \(comment())")
      }
    }
  }

  /// A renderer of the mirror gets what one of the source gets.
  private static func check<Section, Item>(
    _ shown: UpdateBatch<Section, Item>, _ batch: UpdateBatch<Section, Item>, _ comment: Comment
  ) throws {
    guard batch.base != nil, let previous = shown.previousSnapshot else { return }
    if shown.difference != batch.difference || shown.presentation != batch.presentation {
      Issue.record("\(shown) for \(batch): \(comment)")
    }
    let replayed = try previous.applying(shown.difference, insertsFrom: shown.snapshot)
    if replayed != batch.snapshot { Issue.record("\(shown) does not lead there: \(comment)") }
  }

  @Test func `Texts with any characters`() async throws {
    let texts = [
      "", "\"", "\\", "\\\"", "\u{0}\u{1f}\u{20}", "\r\n\t", "/", "ü😀", "\u{2028}", "\u{7f}",
    ]
    let source = DataSourceActor<String, String>()
    var batches = source.updates().makeAsyncIterator()
    var list = Mirrored<UpdateBatch<String, String>>()
    for text in texts {
      try await source.update { draft in
        draft.appendSections([text])
        try draft.appendItems([text, "again " + text], toSection: text)
      }
      try await source.update { draft in
        try draft.moveItem(text, afterItem: "again " + text)
        try draft.renameItem("again " + text, to: text + "\u{1}")
      }
      let batch = try #require(await batches.next())
      try await Self.follow(&list, batch, "“\(text)”")
    }
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `Random edits of lists and outlines`(seed: UInt64) async throws {
    var generator = SnapshotGenerator(seed: seed, section: { "s\($0)" }, item: { $0 })
    let source = DataSourceActor<String, Int>()
    var batches = source.updates().makeAsyncIterator()
    var list = Mirrored<UpdateBatch<String, Int>>()
    var shown: Revision?
    for step in 0..<rounds(60, least: 20) {
      let edit = generator.anyEdit(of: await source.snapshot)
      _ = try? await source.update { try edit.apply(to: &$0) }
      guard await source.revision != shown, generator.random.chance(oneIn: 2),
        let batch = await batches.next()
      else { continue }
      shown = batch.target
      try await Self.follow(&list, batch, "seed \(seed), step \(step)")
    }
    #expect(shown != nil)
  }

  @Test(
    "large changes of lists", arguments: SnapshotChange.allKinds,
    [1, 70, scoped(usual: 150, wide: 300)])
  func changes(change: SnapshotChange, size: Int) async throws {
    var generator = SnapshotGenerator(
      seed: UInt64(size), section: { "s\($0)" }, item: { "item \($0)" })
    var sequence = BatchSequence<String, String>()
    var list = Mirrored<UpdateBatch<String, String>>()
    _ = try sequence.next(generator.snapshot(.uneven(sections: 1 + size / 20, items: size)))
    try await Self.follow(&list, sequence.reset(), "reset, seed \(size)")
    for step in 0..<4 {
      let next = generator.changing(sequence.snapshot, by: change)
      try await Self.follow(&list, sequence.next(next), "\(change), seed \(size), step \(step)")
    }
  }

  @Test func `Every transition of small lists`() async throws {
    let snapshots = everySnapshot(sections: 2, items: scoped(usual: 2, wide: 3, long: 4))
    for old in snapshots {
      for new in snapshots where areNumberedInOrder(old, new) {
        try await follow(from: old, to: new)
      }
    }
  }

  @Test func `Every transition of small outlines`() async throws {
    let outlines =
      try everyOutline(items: scoped(usual: 1, wide: 2, long: 3)) + everyOutline(items: 2, from: 1)
    let snapshots = try outlines.map { outline in
      var snapshot = Snapshot<Int, Int>(sections: [0, 1], items: [[], []])
      try snapshot.setOutline(outline, forSection: 0)
      return snapshot
    }
    // Lists as well, so that outlines come and go, and items move out of them and into them.
    let lists = everySnapshot(sections: 2, items: isLong ? 3 : 2).filter {
      $0.sectionIdentifiers == [0, 1]
    }
    func rows(_ snapshot: Snapshot<Int, Int>) -> [Int] {
      (snapshot.outline(ofSection: 0)?.items ?? snapshot.itemIdentifiers(inSection: 0))
        + snapshot.itemIdentifiers(inSection: 1)
    }
    for old in snapshots + lists {
      for new in snapshots + lists where areNumberedInOrder(rows(old) + rows(new)) {
        try await follow(from: old, to: new)
      }
    }
  }

  /// Every outline of some of the items that are each at most once in it, with all flags.
  private func everyOutline(items: Int, from first: Int = 0) throws -> [Outline<Int>] {
    try everyOrderedSubset(of: Array(first..<first + items)).flatMap { items in
      try everyForest(of: items.count).flatMap { levels in
        try everySequence(of: [false, true], length: items.count).map { flags in
          let expanded = zip(items, flags).filter(\.1).map(\.0)
          return try Outline(items, levels: levels, expanding: expanded)
        }
      }
    }
  }

  private func follow(from old: Snapshot<Int, Int>, to new: Snapshot<Int, Int>) async throws {
    var sequence = BatchSequence<Int, Int>()
    var list = Mirrored<UpdateBatch<Int, Int>>()
    _ = try sequence.next(old)
    try await Self.follow(&list, sequence.reset(), "\(old)")
    try await Self.follow(&list, sequence.next(new), "\(old) to \(new)")
  }

  @Test func `A large outline sends the rows that changed`() async throws {
    var outline = Outline<Int>()
    try outline.append(0..<100)
    for parent in 0..<100 { try outline.append(100 + parent * 50..<150 + parent * 50, to: parent) }
    outline.expand(0..<50)
    let snapshot = try Snapshot<String, Int>(outline, in: "tree")
    var sequence = BatchSequence<String, Int>()
    var list = Mirrored<UpdateBatch<String, Int>>()
    _ = try sequence.next(snapshot)
    try await Self.follow(&list, sequence.reset(), "reset")
    let edits: [(inout Snapshot<String, Int>) throws -> Void] = [
      { $0.collapseItems([7]) }, { $0.expandItems([7, 70]) }, { try $0.moveItem(3, afterItem: 90) },
      { $0.deleteItems([120, 40]) }, { try $0.insertItems([9_000], beforeItem: 101) },
      { try $0.moveItem(103, beforeItem: 0) },
    ]
    for (index, edit) in edits.enumerated() {
      var next = sequence.snapshot
      try edit(&next)
      let batch = try sequence.next(next)
      try await Self.follow(&list, batch, "edit \(index)")
      let size = try JSONEncoder().encode(UpdateDelta(batch)).count
      #expect(size < 8_000, "edit \(index)")
    }
  }
}

extension SnapshotChange {
  static let allKinds: [SnapshotChange] = [
    .none, .reversedItems, .shuffledItems, .swappedHalves, .rotatedItems, .movedItems,
    .scatteredItems, .deletedItems, .insertedItems, .reversedSections, .shuffledSections,
    .deletedSections, .mergedSections, .insertedSections, .splitSections, .replacedEverything,
    .deletedEverything, .changedOutlines, .marked, .renamedItems, .mixed,
  ]
}
