import Diffable
import DiffableTerminal
import DiffableTesting
import DiffableViews
import Testing
import TestScope

@Suite("Prefetching of a list in a terminal")
@MainActor
struct PrefetchingTests {
  /// What is to be loaded for a list, as its controller tells.
  @MainActor
  private final class Loader {
    private(set) var loading: Set<Int> = []
    private(set) var faults: [String] = []
    private(set) var begun: [Int] = []

    /// Takes note of what a controller tells, and of what it is asked for.
    func attach<Host: ListHost>(to controller: ListController<Int, Int, Host>) {
      controller.prefetchHandler = { [unowned self, unowned controller] items in
        for item in items {
          if !loading.insert(item).inserted { faults.append("\(item) is told twice") }
          if controller.cell(for: item) != nil { faults.append("\(item) is in sight already") }
        }
        begun += items
      }
      controller.prefetchCancellationHandler = { [unowned self] items in
        for item in items where loading.remove(item) == nil {
          faults.append("\(item) was not told")
        }
      }
    }

    func show(_ item: Int) { loading.remove(item) }
  }

  private func controller(
    of list: TerminalList, _ loader: Loader, cells: CellRegistration<TerminalCell, Int>
  ) -> Controller {
    let controller = Controller(host: list) { dequeuer, path, item in
      loader.show(item)
      return try dequeuer.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
    }
    loader.attach(to: controller)
    return controller
  }

  @Test("What is to be loaded is the next screen in the direction of scrolling, and nothing else")
  func rows() async throws {
    for seed in 0..<rounds(60 as UInt64) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let list = TerminalList(size: TerminalSize(columns: 20, rows: 4))
      list.allowsFocus = seed % 3 == 0
      let loader = Loader()
      let controller = controller(of: list, loader, cells: Cells.rows)
      var batches = Batches()
      var isForward = true
      for step in 0..<30 {
        switch step == 0 ? 0 : generator.random.number(below: 4) {
        case 0:
          let new =
            generator.random.chance(oneIn: 3)
            ? generator.snapshot(.uneven(sections: 3, items: 30))
            : generator.changing(
              batches.snapshot,
              by: generator.random.element(of: SnapshotChange.allCases) ?? .mixed)
          let isReset = generator.random.chance(oneIn: 4)
          await controller.show(try batches.next(new, presentation: isReset ? .reset : .animated))
        case 1: list.size.rows = 1 + generator.random.number(below: 8)
        default:
          let keys: [Key] = [.up, .down, .down, .pageDown, .pageUp, .home, .end]
          let row = list.visibleLines.lowerBound
          _ = list.press(generator.random.element(of: keys) ?? .down)
          if list.visibleLines.lowerBound != row { isForward = list.visibleLines.lowerBound > row }
        }
        // Each item is a row.
        let items = batches.snapshot.itemIdentifiers
        let visible = list.visibleLines
        let isAtEnd = visible.upperBound >= items.count
        let ahead =
          visible.lowerBound == 0 || isForward && !isAtEnd
          ? visible.upperBound..<visible.upperBound + list.size.rows
          : visible.lowerBound - list.size.rows..<visible.lowerBound
        #expect(
          loader.loading == Set(items[ahead.clamped(to: items.indices)]),
          "seed \(seed), step \(step)")
        #expect(loader.faults.isEmpty, "seed \(seed), step \(step)")
      }
    }
  }

  @Test("Nothing in sight is to be loaded, nor anything that is gone", arguments: Layouts.allCases)
  func everyLayout(layout: Layouts) async throws {
    for seed in 0..<rounds(8 as UInt64) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let list = TerminalList(size: TerminalSize(columns: 20, rows: 5), layout: layout.layout)
      let loader = Loader()
      let controller = controller(
        of: list, loader, cells: layout == .estimated ? Cells.tall : Cells.rows)
      if seed % 2 == 0 { list.changeMarkDuration = .seconds(1) }
      var batches = Batches()
      var count = 0
      for step in 0..<30 {
        if step % 3 == 0 {
          let new =
            step == 0
            ? generator.snapshot(.uneven(sections: 3, items: 40))
            : generator.changing(
              batches.snapshot,
              by: generator.random.element(of: SnapshotChange.allCases) ?? .mixed)
          await controller.show(try batches.next(new))
        } else {
          let keys: [Key] = [.up, .down, .left, .right, .right, .pageDown, .pageUp, .home, .end]
          _ = list.press(generator.random.element(of: keys) ?? .down)
        }
        let isRight = loader.loading.allSatisfy {
          batches.snapshot.itemPath(for: $0) != nil && controller.cell(for: $0) == nil
        }
        #expect(isRight, "seed \(seed), step \(step): \(loader.loading)")
        #expect(loader.faults.isEmpty, "seed \(seed), step \(step)")
        count += loader.loading.count
      }
      #expect(count > 0, "seed \(seed)")
    }
  }

  @Test("What comes next is told first, also across the list")
  func order() async throws {
    let list = TerminalList(
      size: TerminalSize(columns: 14, rows: 3), layout: Layouts.continuous.layout)
    let loader = Loader()
    let controller = controller(of: list, loader, cells: Cells.rows)
    var batches = Batches()
    // Two items fit across the list, and one section and the header of the next one below each other.
    let sections = (0..<4).map { section in Array(section * 10..<section * 10 + 6) }
    await controller.show(try batches.next(sections[0], sections[1], sections[2], sections[3]))
    #expect(loader.begun == [2, 3, 10, 11, 20, 21])
    for key in [Key.down, .right, .right, .right] { _ = list.press(key) }
    #expect(controller.cell(for: 3) != nil)
    #expect(loader.loading == [4, 5, 10, 11, 20, 21])
    _ = list.press(.end)
    _ = list.press(.up)
    // The third section is in sight, with its header. Going back, the first one shows where it was left.
    #expect(loader.begun.suffix(4) == [22, 23, 3, 2])
    #expect(loader.loading == [2, 3, 10, 11, 22, 23])
  }
}
