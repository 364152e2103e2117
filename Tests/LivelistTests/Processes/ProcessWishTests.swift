import Diffable
import DiffableTesting
import Testing

@testable import livelist

@Suite("What the user does to the list of processes can be undone, and nothing else is")
struct ProcessWishTests {
  private func table(
    _ grouping: ProcessArrangement.Grouping
  ) throws -> ProcessTable {
    ProcessTable(
      source: ProcessSource(history: 4096),
      arrangement: ProcessArrangement(order: .cpu, grouping: grouping))
  }

  /// What the user has a say in.
  private struct Choices: Equatable {
    var arrangement: ProcessArrangement
    var folded: Set<ProcessID>
  }

  private func choices(_ table: ProcessTable) async -> Choices {
    let snapshot = await table.source.snapshot
    let outline = snapshot.outline(ofSection: ProcessArrangement.everybody)
    return Choices(
      arrangement: await table.contents.arrangement,
      folded: Set(outline?.items.filter { outline?.isExpanded($0) == false } ?? []))
  }

  @Test("What is folded is hidden at once, and does not look as if it were gone")
  func folding() async throws {
    let table = try table(.tree)
    var machine = RandomMachine(seed: 1)
    for _ in 0..<20 { machine.change() }
    try await table.list(machine.listed)
    let outline = await table.source.snapshot.outline(ofSection: ProcessArrangement.everybody)
    let root = try #require(outline?.rootItems.first { outline?.children(of: $0) != [] })
    var batches = table.source.updates(after: table.source.token(for: await table.source.revision))
      .makeAsyncIterator()
    for wish in [ProcessWish.collapse(root), .expand(root)] {
      _ = try await table.perform(wish)
      #expect(await batches.next()?.presentation == .immediate)
    }
    _ = try await table.perform(.sort(.memory))
    #expect(await batches.next()?.presentation == .animated)
  }

  @Test(
    "Undo and redo go through all that was done, whatever the writers write meanwhile",
    arguments: ProcessArrangement.Grouping.allCases, 0..<6 as Range<UInt64>)
  func law(grouping: ProcessArrangement.Grouping, seed: UInt64) async throws {
    let table = try table(grouping)
    var machine = RandomMachine(seed: seed)
    for _ in 0..<20 { machine.change() }
    try await table.list(machine.listed)
    var states = [await choices(table)]
    var names: [String] = []

    func news() async throws {
      for _ in 0..<3 { machine.change() }
      try await table.list(machine.listed)
      try await table.rearrange(changed: table.setPermille(machine.permille))
    }
    /// The list is right, and the choices are those that were made, as far as processes are there.
    func check(_ expected: Choices, _ comment: Comment) async throws {
      let snapshot = await table.source.snapshot
      let found = await choices(table)
      #expect(found.arrangement == expected.arrangement, comment)
      #expect(found.folded == expected.folded.intersection(machine.processes.keys), comment)
      var fresh = ProcessSnapshot()
      try found.arrangement.list(await table.contents.records, in: &fresh)
      if grouping == .tree {
        fresh.collapseItems(found.folded)
      }
      #expect(snapshot == fresh, comment)
    }

    for step in 0..<12 {
      try await news()
      let snapshot = await table.source.snapshot
      let items = snapshot.itemIdentifiers
      guard let item = machine.random.element(of: items) else { continue }
      let orders = ProcessOrder.allCases.filter { $0 != states[states.count - 1].arrangement.order }
      var wish = ProcessWish.sort(machine.random.element(of: orders) ?? .pid)
      switch machine.random.number(below: 3) {
      case 0: wish = .move(item, isUp: machine.random.chance(oneIn: 2))
      case 1:
        guard let disclosure = snapshot.disclosure(of: item), disclosure.isExpandable else { break }
        wish = disclosure.isExpanded ? .collapse(item) : .expand(item)
      default: break
      }
      guard let name = try await table.perform(wish) else { continue }
      names.append(name)
      states.append(await choices(table))
      try await check(states[states.count - 1], "seed \(seed), step \(step): \(wish)")
    }
    for step in names.indices.reversed() {
      try await news()
      #expect(try await table.perform(.undo) == "undid: " + names[step])
      try await check(states[step], "seed \(seed), undid \(step): \(names[step])")
    }
    #expect(try await table.perform(.undo) == nil)
    for step in names.indices {
      try await news()
      #expect(try await table.perform(.redo) == "did again: " + names[step])
      try await check(states[step + 1], "seed \(seed), did \(step) again: \(names[step])")
    }
    #expect(try await table.perform(.redo) == nil)
  }

  @Test("Only what changes something is done")
  func nothing() async throws {
    let table = try table(.users)
    try await table.list([ListedProcess(id: ProcessID(1), user: "ann", command: "/bin/ed a b")])
    #expect(try await table.perform(.sort(.cpu)) == nil)
    #expect(try await table.perform(.move(ProcessID(1), isUp: true)) == nil)
    #expect(try await table.perform(.move(ProcessID(1), isUp: false)) == nil)
    #expect(try await table.perform(.move(ProcessID(9), isUp: false)) == nil)
    #expect(try await table.perform(.undo) == nil)
    // No row has to move for it.
    #expect(try await table.perform(.sort(.memory)) == "sort by memory")
    #expect(try await table.perform(.expand(ProcessID(1))) == "unfold ed")
    #expect(try await table.perform(.undo) == "undid: unfold ed")
    #expect(try await table.perform(.undo) == "undid: sort by memory")
    #expect(await table.contents.arrangement.order == .cpu)
  }
}
