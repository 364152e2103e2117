import Diffable
import ListSupport
import TestScope
import Testing

/// What a subscriber gets to see.
@Suite(.deadline) struct BatchTests {
  @Test(arguments: [0, -1, .min]) func `A limit below one is a limit of one`(_ limit: Int) {
    #expect(UpdatePolicy.every(limit: limit) == .every(limit: 1))
    #expect(UpdatePolicy.every(limit: limit).description == "every(limit: 1)")
  }

  @Test func `The first batch shows the state from scratch`() async throws {
    let source = try Source(.list([1, 2]))
    var batches = source.updates().makeAsyncIterator()
    let batch = try #require(await batches.next())
    #expect(batch.base == nil && batch.target == Revision(1) && batch.difference.isEmpty)
    #expect(batch.previousSnapshot == nil && batch.presentation == .reset)
    #expect(try batch.snapshot == .list([1, 2]))
    // An empty source is at revision 0.
    let empty = Source()
    var nothing = empty.updates().makeAsyncIterator()
    let none = try #require(await nothing.next())
    #expect(none.base == nil && none.target == .empty && none.snapshot == List())
    #expect(await empty.revision == .empty)
  }

  @Test(arguments: [0, 1, 3, 64])
  func `A batch carries the marks of every revision it spans`(history: Int) async throws {
    let source = try Source(.list(0..<100), options: SourceOptions(history: history))
    var batches = await source.changes()
    for item in 0..<40 { try await source.apply(.list(0..<100, reload: [item])) }
    try await source.apply(.list(0..<100, reconfigure: [7, 77]))
    let batch = try #require(await batches.next())
    #expect(batch.difference.itemReloads.map(\.item) == Array(0..<40))
    #expect(batch.difference.itemReconfigures.map(\.item) == [77])
    try await source.apply(.list(0..<100, reload: [99]))
    let next = try #require(await batches.next())
    #expect(next.difference.itemReloads.map(\.item) == [99])
    #expect(next.difference.itemReconfigures.isEmpty)
  }

  @Test func `A row comes back from a reloaded section that is gone then`() async throws {
    let source = try Source(.list([1]))
    try await source.update { list in
      list.appendSections(["other"])
      try list.appendItems([2])
    }
    var late = await source.changes()
    try await source.update { try $0.moveItem(1, toSection: "other") }
    try await source.update { try $0.reloadSections(["other"]) }
    try await source.update { try $0.moveItem(1, toSection: "list") }
    try await source.update { $0.deleteSections(["other"]) }
    let batch = try #require(await late.next())
    #expect(batch.difference.itemReloads.contains(ItemPath(section: 0, item: 0)))
    #expect(await source.difference(from: Revision(2), to: batch.target) == batch.difference)
  }

  @Test func `Marks on items long gone do not pile up: the list is shown anew`() async throws {
    let source = try Source(.list([0]), options: SourceOptions(history: 0))
    var batches = await source.changes()
    for item in 1..<2000 {
      try await source.apply(.list([item]))
      try await source.apply(.list([item], reload: [item]), presentation: .immediate)
    }
    let batch = try #require(await batches.next())
    #expect(batch.base == nil && batch.presentation == .reset)
    #expect(try batch.snapshot == .list([1999]))
  }

  @Test(arguments: [0, 64])
  func `Of any three revisions, the strongest presentation counts`(history: Int) async throws {
    // The strongest first.
    let all = [Presentation.reset, .inPlace, .animated, .immediate]
    for number in 0..<64 {
      let presentations = [number % 4, number / 4 % 4, number / 16].map { all[$0] }
      let source = try Source(.list([0]), options: SourceOptions(history: history))
      var batches = await source.changes()
      for (index, presentation) in presentations.enumerated() {
        try await source.apply(.list(0..<index + 2), presentation: presentation)
      }
      let expected = all.first(where: presentations.contains)
      let batch = try #require(await batches.next())
      #expect(batch.presentation == expected, "\(presentations)")
      #expect((batch.base == nil) == (expected == .reset), "\(presentations)")
      #expect((batch.previousSnapshot == nil) == (expected == .reset), "\(presentations)")
      #expect(batch.difference.isEmpty == (expected == .reset), "\(presentations)")
      // The next batch has its own.
      try await source.apply(.list([0]), presentation: .animated)
      #expect(await batches.next()?.presentation == .animated, "\(presentations)")
    }
  }

  @Test func `What the policy drops is listed`() async throws {
    let source = try Source(.list([1, 2, 1, 1]), options: SourceOptions(duplicates: .keepFirst))
    #expect(try await source.snapshot == .list([1, 2]))
    var batches = source.updates().makeAsyncIterator()
    #expect(await batches.next()?.droppedItems == [1, 1])
    try await source.apply(.list([1, 2, 3, 2]))
    #expect(await batches.next()?.droppedItems == [2])
    try await source.apply(.list([1, 2, 3, 2, 4]))
    try await source.apply(.list([1, 3, 3, 2, 2]))
    #expect(await batches.next()?.droppedItems == [2, 3])
  }

  @Test func `What the policy drops does not pile up`() async throws {
    let source = try Source(
      .list([0]), options: SourceOptions(duplicates: .keepFirst, history: 0))
    var batches = await source.changes()
    for item in 1..<4_000 { try await source.apply(.list([item, item])) }
    let batch = try #require(await batches.next())
    #expect(batch.presentation == .reset && batch.droppedItems.count < 2_000)
    #expect(try batch.snapshot == .list([3_999]))
  }

  @Test func `The difference between any two revisions of the history`() async throws {
    let source = Source(options: SourceOptions(history: 3))
    for items in 1...5 { try await source.apply(.list(0..<items, reload: [0])) }
    let forward = try #require(await source.difference(from: Revision(3), to: Revision(5)))
    #expect(forward.itemInserts.map(\.item) == [3, 4] && forward.itemReloads.map(\.item) == [0])
    #expect(await source.difference(from: Revision(5), to: Revision(3)) == forward.inverse)
    #expect(await source.difference(from: Revision(4), to: Revision(4))?.isEmpty == true)
    #expect(await source.difference(from: Revision(1), to: Revision(5)) == nil)
    #expect(await source.difference(from: Revision(5), to: Revision(6)) == nil)
  }
}
