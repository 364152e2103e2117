import DiffableTesting
import ListSupport
import Testing

@testable import Diffable

@Suite(
  "What the live state asks of identifiers, and what it keeps of them",
  .enabled(if: !checksInvariants, "the checks ask identifiers too"))
struct CountedStorageTests {
  private typealias List = Snapshot<Int, CountedIdentifier>
  private typealias Live = LiveState<Int, CountedIdentifier>
  private typealias Counted = CountedElement

  static let sizes = [500, 8_000]

  private func items(_ numbers: [Int], _ counter: IdentifierCounter) -> [CountedIdentifier] {
    numbers.map { CountedIdentifier(number: $0, counter: counter) }
  }

  private func list(_ numbers: [Int], _ counter: IdentifierCounter) -> List {
    List(contents: [(0, items(numbers, counter))])
  }

  private func live(_ size: Int, _ counter: IdentifierCounter) throws -> Live {
    var live = Live()
    _ = try live.apply(list(Array(0..<size), counter), duplicates: .reject)
    counter.reset()
    return live
  }

  @Test("An array that an empty section gets is neither hashed nor copied", arguments: sizes)
  func append(size: Int) throws {
    let counter = IdentifierCounter()
    let array = items(Array(0..<size), counter)
    var snapshot = List()
    snapshot.appendSections([0, 1])
    try snapshot.appendItems(array, toSection: 1)
    let kept = snapshot.itemIdentifiers(inSection: 1)
    #expect(counter.hashCount == 0 && counter.comparisonCount == 0)
    let addresses = [array, kept].map { $0.withUnsafeBufferPointer { $0.baseAddress } }
    #expect(addresses[0] == addresses[1])
  }

  @Test("Applying an equal snapshot hashes nothing", arguments: sizes)
  func equal(size: Int) throws {
    let counter = IdentifierCounter()
    var live = try live(size, counter)
    #expect(try live.apply(list(Array(0..<size), counter), duplicates: .reject) == nil)
    #expect(counter.hashCount == 0 && counter.comparisonCount <= size + 16)
  }

  @Test("Applying one change hashes a few", arguments: sizes)
  func oneChange(size: Int) throws {
    for place in [0, size / 2, size - 1] {
      let (inserted, deleted) = (
        Array(0..<place) + [size] + Array(place..<size),
        Array(0..<place) + Array(place + 1..<size)
      )
      for numbers in [inserted, deleted] {
        let counter = IdentifierCounter()
        var live = try live(size, counter)
        let commit = try live.apply(list(numbers, counter), duplicates: .reject)
        #expect(commit?.difference.changeCount == 1)
        #expect(counter.hashCount <= 2, "of \(size) at \(place)")
        #expect(counter.comparisonCount <= size + 300, "of \(size) at \(place)")
      }
    }
  }

  @Test(
    "Where hashes are bad, half of what a dictionary compares is enough",
    arguments: [(count: 400, sharing: 400), (count: 2_000, sharing: 200)], [false, true])
  func clashes(_ size: (count: Int, sharing: Int), isShuffled: Bool) throws {
    let counter = IdentifierCounter()
    func items(_ numbers: [Int]) -> [ClashingIdentifier] {
      numbers.map {
        .init(
          identifier: .init(number: $0, counter: counter), hash: $0 % (size.count / size.sharing))
      }
    }
    var random = SplitMix64(seed: 1978)
    var numbers = random.shuffled(Array(0..<size.count))
    var live = LiveState<Int, ClashingIdentifier>()
    _ = try live.apply(Snapshot(contents: [(0, items(numbers))]), duplicates: .reject)
    let old = items(numbers)
    if isShuffled {
      numbers = random.shuffled(numbers)
    } else {
      let changeCount = size.count / 10
      for _ in 0..<changeCount { numbers.remove(at: random.number(below: numbers.count)) }
      for step in 0..<changeCount {
        numbers.insert(size.count + step, at: random.number(below: numbers.count))
      }
    }

    counter.reset()
    var positions: [ClashingIdentifier: Int] = [:]
    for (position, item) in old.enumerated() { positions[item] = position }
    let known = items(numbers).count { positions[$0] != nil }
    #expect(known == size.count - (isShuffled ? 0 : size.count / 10))
    let needed = counter.comparisonCount

    counter.reset()
    let new = Snapshot<Int, ClashingIdentifier>(contents: [(0, items(numbers))])
    _ = try live.apply(new, duplicates: .reject)
    #expect(counter.comparisonCount <= needed / 2)
  }

  @Test("One edit hashes and compares as many, whatever the size", arguments: sizes)
  func oneEdit(size: Int) throws {
    let edits: [(String, (inout List, [CountedIdentifier]) throws -> Void)] = [
      ("insert", { try $0.insertItems([$1[0]], beforeItem: $1[1]) }),
      ("append", { state, items in try state.appendItems([items[0]]) }),
      ("delete", { state, items in state.deleteItems([items[1]]) }),
      ("move", { try $0.moveItem($1[1], afterItem: $1[2]) }),
      ("reload", { try $0.reloadItems([$1[1]]) }),
    ]
    for (name, edit) in edits {
      let counter = IdentifierCounter()
      var live = try live(size, counter)
      let named = items([size, size / 2, 3], counter)
      let held = live.snapshot.detached
      let commit = try live.update(duplicates: .reject) { try edit(&$0, named) }
      #expect(commit?.difference.changeCount == 1, "\(name)")
      // Others want to know what was moved; a small set hashes again where two share a place.
      #expect(counter.hashCount <= (name == "move" ? 12 : 4), "\(name) of \(size)")
      #expect(counter.comparisonCount <= 700, "\(name) of \(size)")
      #expect(held.numberOfItems == size)
    }
  }

  @Test("Replacing the items of a section hashes a few where a block goes", arguments: sizes)
  func replacing(size: Int) throws {
    let counter = IdentifierCounter()
    var live = try live(size, counter)
    let rest = items(Array(0..<100) + Array(200..<size), counter)
    let commit = try live.update(duplicates: .reject) {
      try $0.replaceItems(inSection: 0, with: rest)
    }
    #expect(commit?.difference.changeCount == 100)
    #expect(counter.hashCount <= 4, "of \(size)")
    #expect(counter.comparisonCount <= size + 1_000, "of \(size)")
  }

  @Test("Any array costs a linear number of questions", arguments: CountedIdentifierTests.changes)
  func linear(change: SnapshotChange) throws {
    let counter = IdentifierCounter()
    var generator = SnapshotGenerator<Int, CountedIdentifier>(
      seed: 2, section: { $0 }, item: { CountedIdentifier(number: $0, counter: counter) })
    let old = generator.snapshot(.uneven(sections: 8, items: 4_000))
    let new = generator.changing(old, by: change)
    var live = Live()
    _ = try live.apply(old, duplicates: .reject)
    counter.reset()
    _ = try live.apply(new, duplicates: .reject)
    let count = old.numberOfItems + new.numberOfItems
    #expect(counter.hashCount <= new.numberOfItems + 16, "\(change)")
    #expect(counter.comparisonCount <= 4 * count, "\(change)")
  }

  // MARK: What undo asks of identifiers: as much as changed

  @Test(arguments: sizes)
  func `Undo and redo of one change ask as much, whatever the size`(size: Int) async throws {
    let counter = IdentifierCounter()
    let source = try DataSourceActor(list(Array(0..<size), counter))
    let item = { @Sendable number in CountedIdentifier(number: number, counter: counter) }
    let edits: [@Sendable (inout List) throws -> Void] = [
      { try $0.insertItems([item(size)], afterItem: item(size / 2)) },
      { $0.deleteItems([item(3)]) },
      { try $0.moveItem(item(7), afterItem: item(size - 1)) },
    ]
    for edit in edits {
      try await source.update(named: "Edit", edit)
      // Somebody else changes something that undo must leave alone.
      try await source.update { $0.deleteItems([item(size / 3)]) }
      counter.reset()
      try await source.undo(.named)
      try await source.redo(.named)
      #expect(counter.hashCount <= 60, "of \(size)")
      #expect(counter.comparisonCount <= 6_000, "of \(size)")
      try await source.undo()
      try await source.undo()
    }
  }

  // MARK: What is kept of them

  @Test("Whatever is dropped is freed")
  func lifetimes() throws {
    let census = PayloadCensus()
    try churn(census)
    #expect(census.population == 0)
  }

  private func churn(_ census: PayloadCensus) throws {
    var random = SplitMix64(seed: 9)
    var live = LiveState<Int, Counted>()
    var history: [Snapshot<Int, Counted>] = []
    var next = 0
    func new(_ count: Int) -> [Counted] {
      next += count
      return (next - count..<next).map { Counted($0, census) }
    }
    _ = try live.apply(Snapshot(contents: [(0, new(200)), (1, new(200))]), duplicates: .reject)
    for step in 0..<300 {
      let old = live.snapshot.itemIdentifiers
      switch step % 6 {
      case 0, 1:
        let (section, items) = (random.number(below: 2), new(3))
        _ = try live.update(duplicates: .reject) { try $0.appendItems(items, toSection: section) }
      case 2, 3:
        let gone = (0..<3).compactMap { _ in random.element(of: old) }
        _ = try live.update(duplicates: .reject) { $0.deleteItems(gone) }
      case 4:
        let items = new(2)
        #expect(throws: Failure.self, "step \(step)") {
          try live.update(duplicates: .reject) { state in
            try state.appendItems(items)
            state.deleteItems(old.prefix(5))
            throw Failure()
          }
        }
      default:
        let some = random.shuffled(old)
        let half = some.count / 2
        _ = try live.apply(
          Snapshot(contents: [(0, Array(some[..<half])), (1, Array(some[half...]))]),
          duplicates: .reject)
      }
      history.append(live.snapshot.detached)
      _ = history.last?.containsItem(old[0])
      if history.count > 4 { history.removeFirst() }
    }
    history = []
    #expect(census.population == live.snapshot.numberOfItems)
    _ = try live.apply(Snapshot(), duplicates: .reject)
    #expect(census.population == 0)
  }

  private struct Failure: Error {}
}

/// A counted identifier that shares its hash with others.
private struct ClashingIdentifier: Hashable, Sendable {
  let identifier: CountedIdentifier
  let hash: Int

  static func == (left: Self, right: Self) -> Bool { left.identifier == right.identifier }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
