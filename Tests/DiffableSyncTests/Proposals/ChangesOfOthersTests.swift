import Diffable
import DiffableSync
import DiffableTesting
import TestScope
import Testing

/// A list that a user edits is shown on top of what others write, and says of that what the list below
/// says.
@Suite("A list with pending edits says what others have marked", .deadline)
struct ChangesOfOthersTests {
  typealias Batch = UpdateBatch<String, Int>

  /// A change of somebody else.
  struct Change: Sendable, CustomStringConvertible {
    let kind: Int
    let item: Int
    let new: Int
    let presentation: Presentation

    init(_ step: Int, using random: inout SplitMix64) {
      (kind, item, new) = (random.number(below: 8), random.number(below: 6), 100 + step)
      presentation = [.animated, .immediate, .inPlace, .reset][random.number(below: 8) % 5 % 4]
    }

    var description: String { "kind \(kind), item \(item), \(presentation)" }

    func make(_ draft: inout Snapshot<String, Int>) throws {
      let (items, sections) = (draft.itemIdentifiers, draft.sectionIdentifiers)
      let (row, section) = (items[item % items.count], sections[item % sections.count])
      switch kind {
      case 0: try draft.reloadItems([row])
      case 1: try draft.reconfigureItems([row])
      case 2: try draft.reloadSections([section])
      case 3: try draft.reconfigureSections([section])
      case 4: try draft.renameItem(row, to: new)
      case 5: try draft.insertItems([new], beforeItem: row)
      case 6 where row != items[0]: try draft.moveItem(row, beforeItem: items[0])
      default:
        try draft.reconfigureItems([row])
        try draft.moveSection(sections[sections.count - 1], beforeSection: sections[0])
      }
    }
  }

  static func fill(_ draft: inout Snapshot<String, Int>) throws {
    draft.appendSections(["A", "B"])
    try draft.appendItems([0, 1, 2], toSection: "A")
    try draft.appendItems([3, 4, 5], toSection: "B")
  }

  /// What a batch says of a change.
  private func news(_ batch: Batch?) -> String {
    guard let batch else { return "nothing" }
    return "\(batch.difference) \(batch.presentation) \(batch.renamedItems)"
  }

  @Test(
    "Without pending edits, an optimistic list says of each change what the list below says",
    arguments: 0..<rounds(100 as UInt64))
  func optimistic(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let (_, mine, other) = try await ReplicatedSourceTests.two(history: Int(seed % 3), Self.fill)
    var below = mine.updates(.every(limit: 100)).makeAsyncIterator()
    var shown = await mine.optimistic().updates(.every(limit: 100)).makeAsyncIterator()
    _ = (await below.next(), await shown.next())
    for step in 0..<20 {
      let change = Change(step, using: &random)
      let revision = try await other.update(presentation: change.presentation) {
        try change.make(&$0)
      }.revision
      try await mine.reached(revision)
      let (expected, found) = (news(await below.next()), news(await shown.next()))
      #expect(found == expected, "seed \(seed), step \(step): \(change)")
    }
  }

  @Test(
    "Marks and renames of others reach a list that missed many revisions, under the names that it shows",
    arguments: [0, 1, 64], [1, 40, 200])
  func missed(history: Int, count: Int) async throws {
    let (near, mine, other) = try await ReplicatedSourceTests.two(history: history, Self.fill)
    let list = await mine.optimistic()
    var batches = list.updates().makeAsyncIterator()
    _ = await batches.next()
    near.cut()
    // Pending, so they are made again on what others have written.
    let writes = [
      try await list.update { try $0.renameItem(0, to: 10) },
      try await list.update { try $0.moveItem(1, beforeItem: 10) },
    ]
    _ = await batches.next()
    var last = Revision(1)
    try await other.update { draft in
      try draft.reloadItems([0])
      try draft.reconfigureItems([2])
      try draft.reloadSections(["B"])
      try draft.renameItem(1, to: 11)
    }
    for step in 0..<count {
      last = try await other.update(presentation: step == 0 ? .inPlace : .immediate) {
        try $0.appendItems([1000 + step], toSection: "B")
      }.revision
    }
    near.heal()
    try await mine.reached(last)
    var (reloaded, reconfigured, renamed) = (Set<Int>(), Set<Int>(), Set<ItemRename<Int>>())
    var (sections, strongest) = (Set<String>(), Presentation.immediate)
    while let batch = await batches.next() {
      let (difference, snapshot) = (batch.difference, batch.snapshot)
      reloaded.formUnion(difference.itemReloads.compactMap(snapshot.itemIdentifier(for:)))
      reconfigured.formUnion(difference.itemReconfigures.compactMap(snapshot.itemIdentifier(for:)))
      sections.formUnion(
        difference.sectionReloads.ranges.joined().map { snapshot.sectionIdentifiers[$0] })
      renamed.formUnion(batch.renamedItems)
      strongest = max(strongest, batch.presentation)
      if snapshot.containsItem(999 + count) { break }
    }
    #expect(reloaded.contains(10))
    #expect(reconfigured.contains(2))
    #expect(sections.contains("B"))
    #expect(renamed.contains(ItemRename(old: 1, new: 11)))
    #expect(strongest == .inPlace)
    for write in writes { try #require(await write.outcome.acceptance != nil) }
  }

  @Test("A mark of others alone reaches a row that a pending edit has renamed")
  func renamed() async throws {
    let (near, mine, other) = try await ReplicatedSourceTests.two(Self.fill)
    let list = await mine.optimistic()
    near.disturb { $0 == .append ? .loseRequest : nil }
    let write = try await list.update { try $0.renameItem(0, to: 10) }
    var batches = list.updates(.every(limit: 100)).makeAsyncIterator()
    _ = await batches.next()
    try await other.update { try $0.reloadItems([0]) }
    try await mine.reached(Revision(2))
    let batch = await batches.next()
    #expect(batch?.snapshot.itemIdentifiers.first == 10)
    #expect(batch?.difference.itemReloads.isEmpty == false)
    near.heal()
    try #require(await write.outcome.acceptance != nil)
  }

  @Test("What an optimistic change says of itself is told once")
  func own() async throws {
    let log = MemoryLog()
    let mine = try await ReplicatedSourceTests.replica(log.participant())
    try await mine.update(Self.fill)
    let list = await mine.optimistic()
    var batches = list.updates(.every(limit: 100)).makeAsyncIterator()
    _ = await batches.next()
    let write = try await list.update(presentation: .reset) { draft in
      try draft.reloadItems([1])
      try draft.moveItem(2, beforeItem: 0)
    }
    #expect(await batches.next()?.presentation == .reset)
    try #require(await write.outcome.acceptance != nil)
    let confirmed = await batches.next()
    #expect(confirmed?.unconfirmedItems == [])
    #expect(confirmed?.presentation == .animated)
    #expect(confirmed?.difference.itemReloads.isEmpty == true)
  }
}
