import Diffable
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
  private let arrangement = ProcessArrangement(order: .cpu, grouping: .tree)

  private func tree(_ snapshot: ProcessSnapshot) throws -> Outline<ProcessID> {
    try #require(snapshot.outline(ofSection: ProcessArrangement.everybody))
  }

  /// What a process uses with everything below it, by walking.
  private func sum(
    of id: ProcessID, _ tree: Outline<ProcessID>, _ records: [ProcessID: ProcessRecord]
  ) -> Int {
    (records[id]?.permille ?? 0)
      + tree.children(of: id).reduce(0) { $0 + sum(of: $1, tree, records) }
  }

  @Test("is that of the table, whatever happens; what stays is neither deleted nor inserted")
  func law() throws {
    for seed in 0..<20 as Range<UInt64> {
      var machine = RandomMachine(seed: seed)
      var snapshot = ProcessSnapshot()
      var folded: Set<ProcessID> = []
      for step in 0..<40 {
        let comment: Comment = "seed \(seed), step \(step)"
        let old = snapshot
        for _ in 0..<1 + machine.random.number(below: 4) { machine.change() }
        let records = machine.processes
        try arrangement.list(records, in: &snapshot)
        let tree = try tree(snapshot)

        #expect(Set(tree.items) == Set(records.keys), comment)
        for id in tree.items {
          // A parent that started later has nothing to do with the number, and nor has a circle.
          let parent = tree.parent(of: id)
          if let parent { #expect(parent.number == records[id]?.listed.parent, comment) }
          let number = records[id]?.listed.parent ?? 0
          if parent == nil, number > 0, number < id.number {
            #expect(!tree.contains(ProcessID(number: number, start: UInt64(number))), comment)
          }
          let sums = tree.children(of: id).map { sum(of: $0, tree, records) }
          #expect(sums == sums.sorted(by: >), comment)
          #expect(tree.isExpanded(id) == !folded.contains(id), comment)
        }
        let difference = try snapshot.difference(from: old)
        let stays = Set(old.itemIdentifiers).intersection(snapshot.itemIdentifiers)
        let gone = difference.itemDeletes.compactMap { old.itemIdentifier(for: $0) }
        let come = difference.itemInserts.compactMap { snapshot.itemIdentifier(for: $0) }
        #expect(stays.isDisjoint(with: gone) && stays.isDisjoint(with: come), comment)
        #expect(
          stays.filter { old.disclosure(of: $0) != snapshot.disclosure(of: $0) }
            .isSubset(
              of: Set(difference.itemReconfigures.compactMap(snapshot.itemIdentifier(for:)))),
          comment)

        if let item = machine.random.element(of: tree.items) {
          folded.formSymmetricDifference([item])
          folded.contains(item) ? snapshot.collapseItems([item]) : snapshot.expandItems([item])
        }
        folded.formIntersection(records.keys)
        snapshot = snapshot.forgettingMarks
      }
    }
  }

  @Test("reconfigures a row whose figures change, or the folded one that hides it")
  func figures() throws {
    var known = records([(1, "root", 0, 0), (2, "ann", 5, 0), (3, "ann", 3, 0)])
    known[ProcessID(2)]?.listed.parent = 1
    known[ProcessID(3)]?.listed.parent = 2
    var snapshot = ProcessSnapshot()
    try arrangement.list(known, in: &snapshot)
    #expect(try tree(snapshot).description.split(separator: "\n").count == 3)
    let old = snapshot
    known[ProcessID(3)]?.permille = 4
    try arrangement.rearrange(&snapshot, by: known, changed: [ProcessID(3)])
    var difference = try snapshot.difference(from: old)
    #expect(!difference.isStructural)
    #expect(Array(difference.itemReconfigures) == [ItemPath(section: 0, item: 2)])

    snapshot = snapshot.forgettingMarks
    snapshot.collapseItems([ProcessID(1)])
    let folded = snapshot
    try arrangement.rearrange(&snapshot, by: known, changed: [ProcessID(3)])
    difference = try snapshot.difference(from: folded)
    #expect(!difference.isStructural)
    #expect(Array(difference.itemReconfigures) == [ItemPath(section: 0, item: 0)])

    // Something ends, and something starts, below the folded row.
    snapshot = folded
    known[ProcessID(3)] = nil
    try arrangement.list(known, in: &snapshot)
    #expect(snapshot.reconfiguredItemIdentifiers == [ProcessID(1)])
  }

  @Test("found by a search with what stands above")
  func search() throws {
    var known = records([(1, "root", 0, 0), (2, "ann", 5, 0), (3, "zoe", 3, 0), (4, "ann", 1, 0)])
    known[ProcessID(2)]?.listed.parent = 1
    known[ProcessID(3)]?.listed.parent = 2
    known[ProcessID(4)]?.listed.parent = 1
    var snapshot = ProcessSnapshot()
    try arrangement.list(known, in: &snapshot)
    snapshot.collapseItems([ProcessID(1)])
    let contents = ProcessTable.Contents(records: known, arrangement: arrangement)
    func found(_ words: String, in snapshot: ProcessSnapshot) -> [Int32] {
      contents.found(in: snapshot, by: .init(words)).itemIdentifiers.map(\.number)
    }
    #expect(found("zoe program", in: snapshot) == [1, 2, 3])
    #expect(found("nobody", in: snapshot) == [])
    var users = ProcessSnapshot()
    try ProcessArrangement(order: .pid, grouping: .users).list(known, in: &users)
    #expect(found("ann", in: users) == [2, 4])
    let sections = contents.found(in: users, by: .init("3"))
    #expect(sections.sectionIdentifiers == ["zoe"])
  }
}

extension ProcessSnapshot {
  /// The same without marks, as a source keeps it.
  var forgettingMarks: ProcessSnapshot {
    var snapshot = ProcessSnapshot()
    snapshot.appendSections(sectionIdentifiers)
    for section in sectionIdentifiers {
      if let outline = outline(ofSection: section) {
        try? snapshot.setOutline(outline, forSection: section)
      } else {
        try? snapshot.appendItems(itemIdentifiers(inSection: section), toSection: section)
      }
    }
    return snapshot
  }
}
