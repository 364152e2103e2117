import Diffable
import DiffableTesting
import DiffableViews
import ListSupport
import Synchronization
import TestScope
import Testing

/// The main actor asks identifiers nothing for rows that a change leaves alone.
@Suite(
  "What the main actor does for a change does not grow with the list", .deadline,
  .enabled(if: !checksInvariants, "the checks ask identifiers too"))
@MainActor
struct MainActorCostTests {
  private let counter = IdentifierCounter()

  private func identifier(_ number: Int) -> CountedIdentifier {
    CountedIdentifier(number: number, counter: counter)
  }

  private func makeList(of size: Int) throws -> Snapshot<Int, CountedIdentifier> {
    var list = Snapshot<Int, CountedIdentifier>()
    list.appendSections([0])
    try list.appendItems((0..<size).map(identifier))
    return list
  }

  private var questions: Int {
    counter.hashes.load(ordering: .relaxed) + counter.comparisons.load(ordering: .relaxed)
  }

  private func makeController(of host: PlainHost) -> ListController<
    Int, CountedIdentifier, PlainHost
  > {
    ListController(host: host) { _, _, _ in PlainHost.Cell() }
  }

  @Test func `All rows are selected, followed and deselected as one range`() async throws {
    var all: [Int] = []
    for size in [500, 8_000] {
      let host = PlainHost()
      let controller = makeController(of: host)
      var batches = BatchSequence<Int, CountedIdentifier>()
      var list = try makeList(of: size)
      await controller.show(try batches.next(list))
      try list.insertItems([identifier(-1)], beforeItem: identifier(size / 2))
      let insertion = try batches.next(list)
      try list.renameItem(identifier(3), to: identifier(-3))
      let renaming = try batches.next(list)
      list.deleteItems([identifier(7)])
      let deletion = try batches.next(list)
      var causes: [SelectionChange<CountedIdentifier>.Cause] = []
      controller.selectionHandler = { causes.append($0.cause) }
      counter.reset()
      controller.selectAll()
      #expect(questions == 0)
      for batch in [insertion, renaming, deletion] { await controller.show(batch) }
      all.append(questions)
      #expect(causes == [.program, .renaming, .deletion])
      // The inserted row is between the two, and a row before it has gone.
      #expect(controller.selectedPaths.ranges.map(\.items) == [0..<size / 2 - 1, size / 2..<size])
      #expect(host.selection == controller.selectedPaths)
      #expect(controller.selectedItems.count == size - 1)
      #expect(controller.isSelected(identifier(-3)) && !controller.isSelected(identifier(-1)))
    }
    #expect(all[1] <= all[0] + 200, "\(all)")
  }

  @Test func `A row that the view has moved is committed without a look at the others`()
    async throws
  {
    var all: [Int] = []
    for size in [500, 8_000] {
      let source = DataSourceActor<Int, CountedIdentifier>()
      let host = PlainHost()
      let controller = makeController(of: host)
      controller.start(following: source)
      await controller.displayed(try await source.apply(try makeList(of: size)).revision)
      let item = try #require(controller.itemIdentifier(for: ItemPath(section: 0, item: 400)))
      counter.reset()
      #expect(
        controller.didMoveItem(
          from: ItemPath(section: 0, item: 400), to: ItemPath(section: 0, item: 2)))
      try await wait { await source.revision == Revision(2) }
      await controller.displayed(Revision(2))
      all.append(questions)
      #expect(controller.itemPath(for: item) == ItemPath(section: 0, item: 2))
    }
    #expect(all[1] <= all[0] + 200, "\(all)")
  }
}
