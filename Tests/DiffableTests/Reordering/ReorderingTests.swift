import Diffable
import DiffableTesting
import ListSupport
import Synchronization
import Testing
import TestScope

/// Reordering by the user: previews for one renderer, and a merge in the end.
@Suite(.deadline) struct ReorderingTests {
  private typealias Handlers = ReorderingHandlers<String, Int>

  private static func start() -> List {
    List(sections: ["a", "b"], items: [[1, 2, 3, 4], [5, 6]])
  }

  private static func items(_ list: List) -> [[Int]] {
    list.sectionIdentifiers.map { list.itemIdentifiers(inSection: $0) }
  }

  @Test func `Previews lead from one to the next, for one renderer alone`() async throws {
    let source = try Source(Self.start())
    var reordering = try #require(try await source.beginReorder([3, 1]))
    #expect(reordering.items == [1, 3] && reordering.base == Revision(1))
    var shown = Self.start()
    for (destination, expected) in [
      (.after(5), [[2, 4], [5, 1, 3, 6]]), (.before(4), [[2, 1, 3, 4], [5, 6]]),
      (.before(1), [[2, 1, 3, 4], [5, 6]]), (.end(of: "b"), [[2, 4], [5, 6, 1, 3]]),
    ] as [(ReorderDestination<String, Int>, [[Int]])] {
      let batch = try reordering.proposed(to: destination)
      #expect(batch.previousSnapshot == shown && batch.base == batch.target)
      shown = try shown.applying(batch.difference, insertsFrom: batch.snapshot)
      #expect(Self.items(shown) == expected && shown == batch.snapshot)
    }
    #expect(throws: SnapshotError.unknownItem([AnyItemID(9)])) {
      try reordering.proposed(to: .after(9))
    }
    #expect(throws: SnapshotError.unknownSection([AnyItemID("z")])) {
      try reordering.proposed(to: .end(of: "z"))
    }
    #expect(reordering.proposedSnapshot == shown)
    let back = reordering.cancel()
    #expect(back.previousSnapshot == shown && back.snapshot == Self.start())
    #expect(await source.revision == Revision(1))
    #expect(try await reordering.commit() == nil)
  }

  @Test func `A drop that nothing came in between of is what was shown`() async throws {
    let told = Lock<[Transaction<String, Int>]>([])
    let source = try Source(
      Self.start(),
      reordering: Handlers(didReorder: { drop in told.withLock { $0.append(drop) } }))
    var reordering = try #require(try await source.beginReorder([1]))
    _ = try reordering.proposed(to: .end(of: "b"))
    let drop = try #require(try await reordering.commit(named: "Move"))
    #expect(drop.finalSnapshot == reordering.proposedSnapshot && drop.target == Revision(2))
    #expect(drop.initialSnapshot == Self.start())
    #expect(drop.sectionTransactions.map(\.finalItems) == [[2, 3, 4], [5, 6, 1]])
    #expect(told.withLock { $0 } == [drop])
    let rest = await reordering.batch(completing: drop)
    #expect(rest.difference.isEmpty && rest.target == drop.target)
    #expect(source.nextUndo(.named)?.name == "Move")
    try await source.undo(.named)
    #expect(await source.snapshot == Self.start())
  }

  @Test func `A veto restores the order`() async throws {
    let isOpen = Atomic<Bool>(true)
    let source = try Source(
      Self.start(),
      reordering: Handlers(canReorder: { items, destination, _ in
        !items.contains(4) && destination != .end(of: "b") && isOpen.load(ordering: .relaxed)
      }))
    #expect(try await source.beginReorder([1, 4]) == nil)
    var reordering = try #require(try await source.beginReorder([1]))
    _ = try reordering.proposed(to: .after(3))
    let batch = try reordering.proposed(to: .end(of: "b"))
    #expect(batch.snapshot == Self.start())
    #expect(try await reordering.commit() == nil)
    _ = try reordering.proposed(to: .after(3))
    isOpen.store(false, ordering: .relaxed)
    #expect(try await reordering.commit() == nil)
    #expect(reordering.cancel().snapshot == Self.start())
    #expect(await source.revision == Revision(1))
  }

  @Test func `No veto is asked for about rows that others have deleted`() async throws {
    let source = try Source(
      Self.start(), reordering: Handlers(canReorder: { items, _, _ in !items.isEmpty }))
    var drag = try #require(try await source.beginReorder([1]))
    _ = try drag.proposed(to: .after(3))
    try await source.update { $0.deleteItems([1]) }
    #expect(try await drag.commit()?.conflicts == [.item(1, .movedButDeleted)])
  }

  @Test func `Where a drop would go, and why it cannot, is that of the last place alone`()
    async throws
  {
    let source = try Source(
      Self.start(),
      reordering: Handlers(canReorder: { _, _, proposed in
        proposed.numberOfItems(inSection: "b") == 2
      }))
    typealias Place = ReorderDestination<String, Int>
    // Places beside the row itself and those that are not there change nothing; `nil` cancels.
    let moves: [(place: Place?, items: [Int]?)] = [
      (.after(3), [2, 3, 1, 4]), (.end(of: "a"), [2, 3, 4, 1]), (.end(of: "b"), nil),
      (.before(6), nil), (.before(1), nil), (.after(9), nil), (nil, nil),
    ]
    func explore(_ shown: Reordering<String, Int>, _ depth: Int) throws {
      for (place, items) in moves {
        var drag = shown
        let former = shown.proposedSnapshot
        let batch = try? place.map { try drag.proposed(to: $0) } ?? drag.cancel()
        let comment: Comment =
          "\(String(describing: shown.destination)), then \(String(describing: place))"
        if let batch { #expect(batch.previousSnapshot == former, comment) }
        #expect((batch == nil) == (place == .after(9)), comment)
        if place == .before(1) || place == .after(9) {
          #expect(drag.proposedSnapshot == former, comment)
          #expect(drag.destination == shown.destination, comment)
          #expect(drag.refusal == shown.refusal, comment)
        } else {
          let expected = [items ?? [1, 2, 3, 4], [5, 6]]
          #expect(Self.items(drag.proposedSnapshot) == expected, comment)
          #expect(drag.destination == (items == nil ? nil : place), comment)
          #expect(drag.refusal == (items == nil && place != nil ? .vetoed : nil), comment)
        }
        if depth > 1 { try explore(drag, depth - 1) }
      }
    }
    try explore(try #require(try await source.beginReorder([1])), 3)
  }

  @Test func `A veto judges what the drop would make of the list that others have changed`()
    async throws
  {
    let asked = Lock<[[[Int]]]>([])
    let source = try Source(
      Self.start(),
      reordering: Handlers(canReorder: { _, destination, proposed in
        if destination != nil { asked.withLock { $0.append(Self.items(proposed)) } }
        return proposed.numberOfItems(inSection: "b") <= 3
      }))
    var reordering = try #require(try await source.beginReorder([1]))
    _ = try reordering.proposed(to: .end(of: "b"))
    try await source.update { try $0.moveItem(2, toSection: "b") }
    #expect(try await reordering.commit() == nil)
    #expect(await source.revision == Revision(2))
    #expect(asked.withLock { $0.last } == [[3, 4], [5, 6, 1, 2]])
    try await source.update { $0.deleteItems([5]) }
    let drop = try #require(try await reordering.commit())
    #expect(Self.items(drop.finalSnapshot) == [[3, 4], [6, 1, 2]])
    // Nobody has changed anything since: what was shown has been judged.
    var other = try #require(try await source.beginReorder([3]))
    _ = try other.proposed(to: .after(4))
    let count = asked.withLock { $0.count }
    #expect(try await other.commit() != nil && asked.withLock { $0.count } == count + 1)
  }

  @Test func `A veto is asked about the names that others have given to items and to the place`()
    async throws
  {
    typealias Destination = ReorderDestination<String, Int>
    let renamed: [(Destination, Destination)] = [
      (.before(4), .before(40)), (.after(4), .after(40)), (.into(4), .into(40)),
      (.end(of: "a"), .end(of: "a")),
    ]
    for (place, expected) in renamed {
      var start = Self.start()
      if case .into = place { try start.setOutline(Outline([1, 2, 3, 4]), forSection: "a") }
      let asked = Lock<[(items: [Int], destination: Destination)]>([])
      let source = try Source(
        start,
        reordering: Handlers(canReorder: { items, destination, _ in
          if let destination { asked.withLock { $0.append((items, destination)) } }
          return true
        }))
      var reordering = try #require(try await source.beginReorder([1]))
      _ = try reordering.proposed(to: place)
      try await source.update { list in
        try list.renameItem(1, to: 10)
        try list.renameItem(4, to: 40)
      }
      let drop = try #require(try await reordering.commit())
      for item in [2, 3, 10, 40] {
        #expect(drop.finalSnapshot.sectionIdentifier(containingItem: item) == "a")
      }
      let last = try #require(asked.withLock { $0.last })
      #expect(last.items == [10])
      #expect(last.destination == expected)
    }
  }

  @Test func `A drag needs items and a revision that are there`() async throws {
    let source = try Source(Self.start())
    #expect(try await source.beginReorder([]) == nil)
    await #expect(throws: DataSourceError.invalidSnapshot(.unknownItem([AnyItemID(9)]))) {
      try await source.beginReorder([1, 9])
    }
    await #expect(throws: DataSourceError.unknownRevision(Revision(7))) {
      try await source.beginReorder([1], at: Revision(7))
    }
  }

  /// What a batch says is to be shown anew, by identifier.
  private struct Refreshes: Hashable {
    var items: [Int: Bool] = [:]
    var sections: [String: Bool] = [:]

    init(_ batch: UpdateBatch<String, Int>) throws {
      let old = try #require(batch.previousSnapshot)
      for path in batch.difference.itemReloads {
        items[try #require(old.itemIdentifier(for: path))] = true
      }
      for path in batch.difference.itemReconfigures {
        items[try #require(batch.snapshot.itemIdentifier(for: path))] = false
      }
      for index in batch.difference.sectionReloads.ranges.joined() {
        sections[try #require(old.sectionIdentifier(at: index))] = true
      }
      for index in batch.difference.sectionReconfigures.ranges.joined() {
        sections[try #require(batch.snapshot.sectionIdentifier(at: index))] = false
      }
    }
  }

  @Test(arguments: [0, 1, 64])
  func `What others mark during a drag is told after it, as to every subscriber`(
    history: Int
  ) async throws {
    for seed in 0..<UInt64(rounds(20)) {
      var random = SplitMix64(seed: seed)
      let source = try Source(Self.start(), options: SourceOptions(history: history))
      var batches = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
      var drag = try #require(try await source.beginReorder([1, 4]))
      _ = try drag.proposed(to: .after(6))
      for item in 10..<10 + random.number(below: 30) {
        let some = random.sample(await source.snapshot.itemIdentifiers, oneIn: 6)
        let kind = random.number(below: 5)
        try await source.update { snapshot in
          switch kind {
          case 0: try snapshot.reloadItems(some)
          case 1: try snapshot.reconfigureItems(some)
          case 2: try snapshot.reloadSections(["a"])
          case 3: try snapshot.reconfigureSections(["b"])
          default: snapshot.deleteItems(some.prefix(1))
          }
          try snapshot.appendItems([item])
        }
      }
      let drop = try #require(try await drag.commit())
      let rest = await drag.batch(completing: drop)
      let told = try #require(await batches.next())
      #expect(rest.target == drop.target && told.target == drop.target, "seed \(seed)")
      #expect(try Refreshes(rest) == Refreshes(told), "seed \(seed)")
      let shown = try drag.proposedSnapshot.applying(
        rest.difference, insertsFrom: rest.snapshot)
      #expect(shown == drop.finalSnapshot, "seed \(seed)")
    }
  }

  @Test func `What is left to show ends further where the history is too short`() async throws {
    let source = try Source(Self.start(), options: SourceOptions(history: 0))
    var drag = try #require(try await source.beginReorder([1]))
    _ = try drag.proposed(to: .end(of: "b"))
    try await source.update { try $0.reloadItems([2]) }
    let drop = try #require(try await drag.commit())
    try await source.update { try $0.appendItems([7]) }
    let rest = await drag.batch(completing: drop)
    #expect(rest.target == Revision(4))
    #expect(await rest.snapshot == source.snapshot)
    #expect(rest.description == "r1→r4 +1:3 *0:0 ⇒ a[2 3 4] b[5 6 1 7]")
  }

  @Test func `If others have reset the list, so does what is left to show`() async throws {
    let source = try Source(Self.start())
    var drag = try #require(try await source.beginReorder([1]))
    _ = try drag.proposed(to: .end(of: "b"))
    try await source.update(presentation: .reset) { try $0.appendItems([7]) }
    let drop = try #require(try await drag.commit())
    let rest = await drag.batch(completing: drop)
    #expect(rest.base == nil && rest.previousSnapshot == nil && rest.difference.isEmpty)
    #expect(rest.presentation == .reset && rest.snapshot == drop.finalSnapshot)
  }
}
