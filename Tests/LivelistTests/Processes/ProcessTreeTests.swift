import Diffable
import DiffableQueries
import DiffableTerminal
import DiffableTesting
import Testing

@testable import livelist

/// A machine whose processes start others, end, get other parents and use more or less.
struct RandomMachine {
  var random: SplitMix64
  private(set) var processes: [ProcessID: ProcessRecord] = [:]
  private var count: Int32 = 0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    start(below: 0)
  }

  var listed: [ListedProcess] { processes.values.map(\.listed) }
  var permille: [ProcessID: Int] { processes.mapValues(\.permille) }

  /// The processes by number, so that the seed alone decides.
  private var inOrder: [ProcessID] { processes.keys.sorted { $0.number < $1.number } }

  private mutating func start(below parent: Int32) {
    count += 1
    let id = ProcessID(number: count, start: UInt64(count))
    processes[id] = ProcessRecord(
      listed: ListedProcess(id: id, parent: parent, user: "ann", command: "program-\(count)"),
      permille: random.number(below: 9))
  }

  /// Something happens.
  mutating func change() {
    guard let id = random.element(of: inOrder) else { return start(below: 0) }
    switch random.number(below: 6) {
    case 0, 1: start(below: id.number)
    case 2 where processes.count > 2:
      // Somebody else takes care of the children, or nobody.
      let heir = random.chance(oneIn: 3) ? 0 : processes[id]?.listed.parent ?? 0
      processes[id] = nil
      for (child, record) in processes where record.listed.parent == id.number {
        processes[child]?.listed.parent = heir
      }
    case 3:
      // Parents are read one by one: a list may say that processes started each other.
      if let other = random.element(of: inOrder) { processes[id]?.listed.parent = other.number }
    default: processes[id]?.permille = random.number(below: 9)
    }
  }
}

@Suite("A tree of processes") struct ProcessTreeTests {
  /// What a process uses with everything below it, by walking.
  private func sum(
    of id: ProcessID, _ tree: Outline<ProcessID>, _ records: [ProcessID: ProcessRecord]
  ) -> ProcessSums {
    tree.children(of: id)
      .reduce(records[id]?.own ?? .zero) { $0 + sum(of: $1, tree, records) }
  }

  @Test("is that of the machine, whatever happens; what stays is neither deleted nor inserted")
  func law() async throws {
    let arrangement = ProcessArrangement(order: .cpu, grouping: .tree)
    for seed in 0..<20 as Range<UInt64> {
      var machine = RandomMachine(seed: seed)
      let source = ProcessSource()
      let shown = source.derived { arrangement.query($0) }
      var folded: Set<ProcessID> = []
      var old = await shown.snapshot
      for step in 0..<40 {
        let comment: Comment = "seed \(seed), step \(step)"
        for _ in 0..<1 + machine.random.number(below: 4) { machine.change() }
        let (listed, permille) = (machine.listed, machine.permille)
        try await source.write { table in
          table.list(listed)
          table.set(\.permille, to: permille)
        }
        let snapshot = await shown.snapshot
        let tree = try #require(snapshot.outline(ofSection: .everybody), comment)
        #expect(Set(tree.items) == Set(machine.processes.keys), comment)
        var hasCircles = false
        for id in tree.items {
          // A parent that started later has nothing to do with the number, and nor has a circle.
          let number = machine.processes[id]?.listed.parent ?? 0
          let parent = tree.parent(of: id)
          if let parent { #expect(parent.number == number, comment) }
          if parent == nil, number > 0, number < id.number {
            let named = ProcessID(number: number, start: UInt64(number))
            #expect(!tree.contains(named), comment)
          }
          if number >= id.number { hasCircles = true }
          #expect(tree.isExpanded(id) == !folded.contains(id), comment)
        }
        for id in tree.items where !hasCircles {
          let total = await source.model(for: id)?.total
          #expect(total == sum(of: id, tree, machine.processes), comment)
          let sums = tree.children(of: id).map { sum(of: $0, tree, machine.processes).permille }
          #expect(sums == sums.sorted(by: >), comment)
        }
        let difference = try snapshot.difference(from: old)
        let stays = Set(old.itemIdentifiers).intersection(snapshot.itemIdentifiers)
        let gone = difference.itemDeletes.compactMap { old.itemIdentifier(for: $0) }
        let come = difference.itemInserts.compactMap { snapshot.itemIdentifier(for: $0) }
        #expect(stays.isDisjoint(with: gone) && stays.isDisjoint(with: come), comment)
        old = snapshot
        if let item = machine.random.element(of: tree.items) {
          folded.formSymmetricDifference([item])
          try await folded.contains(item)
            ? shown.collapseItems([item]) : shown.expandItems([item])
        }
      }
    }
  }

  @Test("reconfigures a row whose figures change, or the folded one that hides it")
  func figures() async throws {
    let arrangement = ProcessArrangement(order: .cpu, grouping: .tree)
    let source = ProcessSource()
    let processes = listed([(1, "root"), (2, "ann"), (3, "ann")], parents: [2: 1, 3: 2])
    try await source.write(processes, permille: [2: 5, 3: 3])
    let shown = source.derived { arrangement.query($0) }
    var batches = shown.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.numberOfItems == 3)
    // Those above show it when they are folded.
    try await source.write { $0.set(\.permille, to: [ProcessID(3): 4]) }
    var batch = try #require(await batches.next())
    #expect(!batch.difference.isStructural)
    #expect(batch.difference.itemReconfigures.count == 3)

    try await shown.collapseItems([ProcessID(1)])
    batch = try #require(await batches.next())
    #expect(batch.snapshot.numberOfItems == 1)
    // Something ends below the folded row.
    try await source.write { $0.list(Array(processes.prefix(2))) }
    batch = try #require(await batches.next())
    #expect(!batch.difference.isStructural)
    #expect(Array(batch.difference.itemReconfigures) == [ItemPath(section: 0, item: 0)])
    #expect(batch.model(for: ProcessID(1))?.total.processes == 2)
  }
}
