import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// What a snapshot asks for beside its order, when a newer one takes its place in the queue.
@Suite(.deadline) struct SupersedingTests {
  /// Lets a source that is busy take snapshots, and returns the batch that they become.
  private func batch(
    _ source: Source, _ snapshots: [List], presentations: [Presentation] = []
  ) async throws -> UpdateBatch<String, Int> {
    var batches = await source.changes()
    let tickets = try await source.update { _ in
      snapshots.indices.map {
        source.enqueue(
          snapshots[$0], presentation: presentations.isEmpty ? .animated : presentations[$0])
      }
    }.value
    for ticket in tickets.dropLast() { #expect(await ticket.outcome == .superseded) }
    _ = await tickets.last?.outcome
    return try #require(await batches.next())
  }

  @Test func `Marks of sections are those of the newer snapshot`() async throws {
    let source = try Source(.list([1, 2, 3]))
    var reloaded = try List.list([1, 2, 3])
    try reloaded.reloadSections(["list"])
    let first = try await batch(source, [reloaded, .list([1, 2])])
    #expect(first.difference.sectionReloads == RangeSet(0..<1))
    var reconfigured = try List.list([1, 2])
    try reconfigured.reconfigureSections(["list"])
    let found = try await batch(source, [reconfigured, .list([1, 2, 3])])
    #expect(found.difference.sectionReconfigures == RangeSet(0..<1))
  }

  @Test func `Whichever snapshot is to be shown from scratch, the last one is`() async throws {
    let choices = [Presentation.animated, .immediate, .reset]
    for presentations in everySequence(of: choices, upTo: 3) where !presentations.isEmpty {
      let lists = try presentations.indices.map { try List.list(0..<$0 + 2) }
      let found = try await batch(Source(.list([0])), lists, presentations: presentations)
      let expected = presentations.contains(.reset) ? .reset : presentations.last
      #expect(found.presentation == expected, "\(presentations)")
    }
  }

  @Test func `Marks that outnumber the items become a list from scratch`() async throws {
    let source = try Source(.list(0..<2000))
    let found = try await batch(
      source, [.list(0..<2000, reconfigure: Array(0..<1500)), .list(0..<10), .list(0..<11)])
    #expect(found.presentation == .reset)
  }

  @Test func `A list from scratch says what its rows were called before`() async throws {
    let source = try Source(.list(0..<2000))
    var renamed = await source.snapshot
    for item in 0..<1500 { try renamed.renameItem(item, to: item + 5000) }
    let marked = try List.list(0..<2000, reconfigure: Array(0..<1500))
    let last = [5000, 5001, 1600]
    let found = try await batch(source, [renamed, marked, .list(last), .list(last + [1601])])
    #expect(found.presentation == .reset)
    #expect(found.renamedItems.contains(ItemRename(old: 0, new: 5000)))
    #expect(found.renamedItems.contains(ItemRename(old: 1, new: 5001)))
  }

  @Test func `A sequence that is followed beside another writer keeps its marks`() async throws {
    let source = try Source(.list([1, 2, 3]))
    var batches = await source.changes()
    let (stream, input) = AsyncStream.makeStream(of: List.self)
    let isFull = Flag()
    let follower = Task {
      try await source.follow(
        stream.map { snapshot in
          defer { isFull.raise() }
          return snapshot
        })
    }
    try await source.update { _ in
      input.yield(try .list([1, 2, 3], reconfigure: [2]))
      input.finish()
      // The source is busy until the sequence has been asked, and what it gave is enqueued or about
      // to be.
    }
    try await wait { isFull.isRaised }
    _ = try await source.enqueue(.list([1, 2, 3, 4])).outcome
    try await follower.value
    var refreshed = 0
    var shown: UpdateBatch<String, Int>?
    while shown?.target != (await source.revision) {
      let next = try #require(await batches.next())
      refreshed += next.difference.itemReconfigures.count
      shown = next
    }
    #expect(refreshed == 1)
  }

  @Test func `A model list that is enqueued after an order keeps the marks of the order`()
    async throws
  {
    let source = Notes()
    let notes = (1...3).map { Note(id: $0) }
    try await source.apply(notes, section: \.folder)
    var batches = await source.changes()
    let outcome = try await source.update { draft in
      var order = draft.snapshot
      try order.reloadItems([2])
      _ = source.enqueue(order, models: [])
      return source.enqueue(notes + [Note(id: 4)], section: \.folder)
    }.value.outcome
    #expect(outcome == .applied(Revision(2)))
    #expect("\(try #require(await batches.next()).difference)" == "+0:3 *0:1")
  }

  // MARK: The law

  /// Snapshots that writers make one after another, and what a naive model makes of them.
  ///
  /// No identifier is used twice, so a row is known by the first of its names.
  private struct Writers {
    var random: SplitMix64
    let live: List
    var snapshots: [List] = []
    /// By name: the name of the row in the live list.
    var origins: [Int: Int] = [:]
    var reloaded: Set<Int> = []
    var reconfigured: Set<Int> = []
    /// Rows of the live list that have another name in some snapshot.
    var renamed: Set<Int> = []
    var reloadedSections: Set<String> = []
    var unused = 100

    init(seed: UInt64) throws {
      random = SplitMix64(seed: seed)
      let live = List(sections: ["a", "b"], items: [Array(0..<5), Array(5..<8)])
      self.live = live
      for item in 0..<8 { origins[item] = item }
    }

    /// The order of a snapshot as a writer makes it that keeps no snapshots.
    static func afresh(_ snapshot: List) throws -> List {
      var result = List()
      result.appendSections(snapshot.sectionIdentifiers)
      for section in snapshot.sectionIdentifiers {
        try result.appendItems(snapshot.itemIdentifiers(inSection: section), toSection: section)
      }
      return result
    }

    /// - Parameter mayForget: Whether a writer may start from the live list again.
    mutating func write(mayForget: Bool) throws {
      var snapshot = snapshots.last ?? live
      switch random.number(below: mayForget ? 4 : 3) {
      case 0: snapshot = try Self.afresh(snapshot)
      case 3: snapshot = live
      default: break
      }
      for _ in 0..<random.number(below: 4) {
        let items = snapshot.itemIdentifiers
        guard let item = random.element(of: items) else { continue }
        let row = origins[item]
        switch random.number(below: 6) {
        case 0:
          unused += 1
          try snapshot.insertItems([unused], afterItem: item)
        case 1: snapshot.deleteItems([item])
        case 2:
          // Two writers that name one row differently contradict each other.
          guard row.map({ !renamed.contains($0) || $0 != item }) ?? true else { continue }
          unused += 1
          try snapshot.renameItem(item, to: unused)
          origins[unused] = row
          if let row { renamed.insert(row) }
        case 3: try snapshot.reloadItems([item])
        case 4: try snapshot.reconfigureItems([item])
        default:
          let section = random.number(below: 2) == 0 ? "a" : "b"
          try snapshot.reloadSections([section])
          reloadedSections.insert(section)
        }
      }
      reloaded.formUnion(snapshot.reloadedItemIdentifiers.compactMap { origins[$0] })
      reconfigured.formUnion(snapshot.reconfiguredItemIdentifiers.compactMap { origins[$0] })
      snapshots.append(snapshot)
    }

    /// The last snapshot with the marks of all.
    func expected() throws -> List {
      var last = snapshots.last ?? live
      // An identifier that is in both states names the same item, whatever was renamed.
      var names: [Int: Int] = [:]
      for item in last.itemIdentifiers {
        if let row = origins[item], row == item || !last.containsItem(row) { names[row] = item }
      }
      var marked = live
      for (row, name) in names where row != name { try marked.renameItem(row, to: name) }
      try marked.reloadItems(reloaded.compactMap { names[$0] })
      try marked.reconfigureItems(
        reconfigured.subtracting(reloaded).compactMap { names[$0] })
      try marked.reloadSections(Array(reloadedSections))
      last.marks = marked.marks
      return last
    }
  }

  @Test("Superseded snapshots leave what they ask for", arguments: 0..<rounds(40 as UInt64))
  func superseded(seed: UInt64) async throws {
    var renames = 0
    for round in 0..<UInt64(30) {
      var writers = try Writers(seed: seed * 1000 + round)
      for _ in 0..<4 { try writers.write(mayForget: true) }
      let expected = try writers.expected()
      let source = try Source(writers.live)
      let comment: Comment = "seed \(seed), round \(round), \(writers.snapshots)"
      let difference = try expected.difference(from: writers.live)
      guard !difference.isEmpty else { continue }
      let found = try await batch(source, writers.snapshots)
      #expect(found.snapshot == expected, comment)
      #expect(found.difference == difference, comment)
      #expect(Set(found.renamedItems) == Set(expected.renamedItems), comment)
      renames += difference.itemRenames.count
    }
    #expect(renames > 0)
  }

  @Test("Applied snapshots ask for the same in one batch", arguments: 0..<rounds(40 as UInt64))
  func applied(seed: UInt64) async throws {
    for round in 0..<UInt64(30) {
      var writers = try Writers(seed: seed * 1000 + round)
      for _ in 0..<4 { try writers.write(mayForget: false) }
      let source = try Source(writers.live)
      var batches = await source.changes()
      for snapshot in writers.snapshots { try await source.apply(snapshot) }
      let difference = try writers.expected().difference(from: writers.live)
      guard !difference.isEmpty else { continue }
      let found = try #require(await batches.next())
      #expect(found.difference == difference, "seed \(seed), round \(round), \(writers.snapshots)")
    }
  }
}
