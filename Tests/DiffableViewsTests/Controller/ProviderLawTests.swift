import Diffable
import DiffableTesting
import DiffableViews
import Testing
import TestScope

@Suite(
  "Whatever a provider does, each cell shows what came of the last question for its item", .deadline
)
@MainActor
struct ProviderLawTests {
  /// A provider that does something else each time it is asked, and what came of it.
  @MainActor
  private final class Whims {
    struct Failure: Error {}

    var random: SplitMix64
    /// What is to be seen of an item: a text, or why there is none.
    private(set) var outcomes: [Int: Result<String, ListError>] = [:]
    private(set) var seen: Set<String> = []
    private let rows = Rows()
    private let others = CellRegistration<SimulatedView, Int> { cell, _, item in
      cell.text = "other \(item)"
    }
    private let aliens = CellRegistration<Alien, Int> { _, _, _ in }

    private final class Alien {}

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    func cell(
      _ cells: CellDequeuer<SimulatedView>, _ path: ItemPath, _ item: Int
    ) throws -> SimulatedView? {
      do {
        let cell = try anyCell(cells, path, item)
        outcomes[item] = cell.map { .success($0.text) } ?? .failure(.noCell(item: AnyItemID(item)))
        return cell
      } catch let error as ListError {
        outcomes[item] = .failure(error)
        throw error
      } catch {
        outcomes[item] = .failure(
          .providerFailed(identifier: AnyItemID(item), reason: "\(error)"))
        throw error
      }
    }

    private func anyCell(
      _ cells: CellDequeuer<SimulatedView>, _ path: ItemPath, _ item: Int
    ) throws -> SimulatedView? {
      switch random.number(below: 8) {
      case 0:
        seen.insert("nothing")
        return nil
      case 1:
        seen.insert("error")
        throw Failure()
      case 2:
        seen.insert("second thoughts")
        _ = try cells.dequeueConfiguredReusableCell(using: rows.plain, for: path, item: item)
        return nil
      case 3:
        seen.insert("wrong type")
        _ = try cells.dequeueConfiguredReusableCell(using: aliens, for: path, item: item)
        return nil
      case 4:
        seen.insert("another kind")
        return try cells.dequeueConfiguredReusableCell(using: others, for: path, item: item)
      default:
        seen.insert("cell")
        return try cells.dequeueConfiguredReusableCell(using: rows.plain, for: path, item: item)
      }
    }
  }

  @Test("random batches", arguments: everyProfile)
  func randomBatches(profile: ListProfile) async throws {
    var seen: Set<String> = []
    for seed in 0..<UInt64(scoped(usual: 5, wide: 20, long: 2_000)) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let host = Host(profile: profile, visibleRowCount: seed % 3 == 0 ? 4 : .max)
      let whims = Whims(seed: seed)
      let controller = Controller(host: host) { try whims.cell($0, $1, $2) }
      var told: [ListError] = []
      controller.errorHandler = { told.append($0) }
      var batches = Batches()
      for step in 0..<25 {
        let change =
          step % 3 == 2
          ? SnapshotChange.marked : generator.random.element(of: SnapshotChange.allCases)
        let new =
          step == 0
          ? generator.snapshot(.uneven(sections: 3, items: 14))
          : generator.changing(batches.snapshot, by: change ?? .mixed)
        let batch = try batches.next(new)
        await controller.show(batch)
        let isRight =
          host.violations.isEmpty && controller.snapshot == batch.snapshot
          && controller.revision == batch.target
          && host.visibleItemPaths.allSatisfy { path in
            guard let item = controller.itemIdentifier(for: path) else { return false }
            switch whims.outcomes[item] {
            case .success(let text):
              return host.cell(at: path)?.text == text && host.errors[path] == nil
            case .failure(let error):
              return host.cell(at: path)?.text == "\(error)" && host.errors[path] == error
                && told.contains(error)
            case nil: return false
            }
          }
        if !isRight {
          Issue.record(
            "\(profile), seed \(seed), step \(step): \(batch), \(host.texts), \(host.violations)")
        }
      }
      seen.formUnion(whims.seen)
    }
    #expect(seen.count == 6)
  }
}
