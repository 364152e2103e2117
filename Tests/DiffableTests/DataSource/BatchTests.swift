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
    #expect(batch.base == nil)
    #expect(batch.target == Revision(1))
    #expect(batch.difference.isEmpty)
    #expect(batch.previousSnapshot == nil)
    #expect(batch.presentation == .reset)
    #expect(try batch.snapshot == .list([1, 2]))
  }

  @Test func `The first batch shows the state at the time it is asked for`() async throws {
    let source = Source()
    var batches = source.updates().makeAsyncIterator()
    try await source.apply(.list([1]))
    let revision = try await source.apply(.list([1, 2])).revision
    let batch = try #require(await batches.next())
    #expect(batch.base == nil)
    #expect(batch.target == revision)
  }

  @Test func `An empty source is revision 0 and shows nothing`() async throws {
    let source = Source()
    #expect(await source.revision == .empty)
    var batches = source.updates().makeAsyncIterator()
    let batch = try #require(await batches.next())
    #expect(batch.base == nil)
    #expect(batch.target == .empty)
    #expect(batch.snapshot == List())
  }

  @Test func `Each batch starts where the one before it ended`() async throws {
    let source = Source()
    var batches = source.updates().makeAsyncIterator()
    var shown = try #require(await batches.next()).snapshot
    var revision = Revision.empty
    for items in [[1], [1, 2, 3], [3, 1], []] {
      let target = try await source.apply(.list(items)).revision
      let batch = try #require(await batches.next())
      #expect(batch.base == revision)
      #expect(batch.target == target)
      #expect(batch.previousSnapshot == shown)
      shown = try shown.applying(batch.difference, insertsFrom: batch.snapshot)
      #expect(shown == batch.snapshot)
      revision = target
    }
  }

  @Test(arguments: [0, 1, 2, 64])
  func `A slow subscriber gets one exact batch`(history: Int) async throws {
    let source = try Source(.list(0..<5), options: SourceOptions(history: history))
    var batches = source.updates().makeAsyncIterator()
    let first = try #require(await batches.next())
    for last in 6..<50 { try await source.apply(.list([0] + Array(last..<last + 5))) }
    let batch = try #require(await batches.next())
    #expect(batch.base == first.target)
    #expect(batch.target == Revision(45))
    #expect(try batch.difference == batch.snapshot.difference(from: first.snapshot))
  }

  @Test func `Every revision is a batch until too many wait`() async throws {
    let source = Source()
    var batches = source.updates(.every(limit: 3)).makeAsyncIterator()
    _ = await batches.next()
    for items in 1...3 { try await source.apply(.list(0..<items)) }
    for number in 1...3 {
      let batch = try #require(await batches.next())
      #expect(batch.base == Revision(number - 1))
      #expect(batch.target == Revision(number))
    }
    for items in 4...7 { try await source.apply(.list(0..<items)) }
    let batch = try #require(await batches.next())
    #expect(batch.base == Revision(3))
    #expect(batch.target == Revision(7))
  }

  @Test(arguments: [0, 1, 3, 64])
  func `A batch carries the marks of every revision it spans`(history: Int) async throws {
    let source = try Source(.list(0..<100), options: SourceOptions(history: history))
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
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

  @Test func `Marks on items long gone do not pile up: the list is shown anew`() async throws {
    let source = try Source(.list([0]), options: SourceOptions(history: 0))
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    for item in 1..<2000 {
      try await source.apply(.list([item]))
      try await source.apply(.list([item], reload: [item]), presentation: .immediate)
    }
    let batch = try #require(await batches.next())
    #expect(batch.base == nil)
    #expect(batch.presentation == .reset)
    #expect(try batch.snapshot == .list([1999]))
  }

  @Test func `A batch has the strongest presentation of the revisions it spans`() async throws {
    let source = Source()
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    try await source.apply(.list([1]), presentation: .immediate)
    #expect(await batches.next()?.presentation == .immediate)
    try await source.apply(.list([2]), presentation: .animated)
    try await source.apply(.list([3]), presentation: .immediate)
    #expect(await batches.next()?.presentation == .animated)
  }

  @Test func `A reset has neither base nor difference`() async throws {
    let source = Source()
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    try await source.apply(.list([1]), presentation: .reset)
    let reset = try #require(await batches.next())
    #expect(reset.base == nil)
    #expect(reset.previousSnapshot == nil)
    #expect(reset.difference.isEmpty)
    #expect(reset.presentation == .reset)
    try await source.apply(.list([2]))
    try await source.apply(.list([3]), presentation: .reset)
    try await source.apply(.list([4]))
    #expect(await batches.next()?.base == nil)
    try await source.apply(.list([5]))
    #expect(await batches.next()?.base == Revision(4))
  }

  @Test func `An apply that changes nothing emits nothing and uses no revision`() async throws {
    let source = try Source(.list([1]))
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    #expect(try await source.apply(.list([1]), presentation: .reset).revision == Revision(1))
    #expect(try await source.update { _ in }.revision == Revision(1))
    #expect(try await source.apply(.list([1, 2])).revision == Revision(2))
    let batch = try #require(await batches.next())
    #expect(batch.base == Revision(1))
    #expect(batch.target == Revision(2))
  }

  @Test func `A subscriber resumes where it was`() async throws {
    let source = Source(options: SourceOptions(history: 2))
    for items in 1...4 { try await source.apply(.list(0..<items)) }
    var known = source.updates(after: source.token(for: Revision(2))).makeAsyncIterator()
    var forgotten = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
    var unknown = source.updates(after: source.token(for: Revision(9))).makeAsyncIterator()
    for items in 5...9 { try await source.apply(.list(0..<items)) }
    let batch = try #require(await known.next())
    #expect(batch.base == Revision(2))
    #expect(batch.target == Revision(9))
    #expect(try batch.previousSnapshot == .list([0, 1]))
    #expect(await forgotten.next()?.base == nil)
    #expect(await unknown.next()?.base == nil)
  }

  @Test func `A subscriber that resumes at the live revision waits for the next`() async throws {
    let source = try Source(.list([1]))
    var batches = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
    try await source.apply(.list([1, 2]))
    let batch = try #require(await batches.next())
    #expect(batch.base == Revision(1))
    #expect(batch.target == Revision(2))
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

  @Test func `The difference between any two revisions of the history`() async throws {
    let source = Source(options: SourceOptions(history: 3))
    for items in 1...5 { try await source.apply(.list(0..<items, reload: [0])) }
    let forward = try #require(await source.difference(from: Revision(3), to: Revision(5)))
    #expect(forward.itemInserts.map(\.item) == [3, 4])
    #expect(forward.itemReloads.map(\.item) == [0])
    #expect(await source.difference(from: Revision(5), to: Revision(3)) == forward.inverse)
    #expect(await source.difference(from: Revision(4), to: Revision(4))?.isEmpty == true)
    #expect(await source.difference(from: Revision(1), to: Revision(5)) == nil)
    #expect(await source.difference(from: Revision(5), to: Revision(6)) == nil)
  }
}
