import Benchmark
import Diffable
import DiffablePages
import DiffableTesting
import Foundation

/// A page of fifty rows at the end of a long list, and the same rows by an update.
///
/// What has come is deleted outside the measured part, so that the size is that of the name.
func registerPageBenchmarks() {
  let (count, size) = (100_000, 50)
  Benchmark("pages/append-50/\(count)/ours") { (benchmark, list: PagedList) in
    await list.desk.prepare(size)
    benchmark.startMeasurement()
    let state = await list.loader.load(.end)
    benchmark.stopMeasurement()
    try expect(state.error == nil, "the page has come")
    try await list.deleteArrivals(of: count)
  } setup: {
    try await PagedList(count)
  }

  Benchmark("pages/append-50/\(count)/update") { (benchmark, list: PagedList) in
    let models = await list.desk.prepare(size)
    benchmark.startMeasurement()
    let revision = try await list.source.update {
      try $0.appendItems(models, toSection: 0)
    }.revision
    benchmark.stopMeasurement()
    blackHole(revision)
    try await list.deleteArrivals(of: count)
  } setup: {
    try await PagedList(count)
  }
}

/// A source with a loader, whose first page is all of the list.
private final class PagedList {
  let source = ModelSource<Int, Model>()
  let desk: Desk
  let loader: PageLoader<Int, Model, Int>

  init(_ count: Int) async throws {
    let desk = Desk(count)
    self.desk = desk
    loader = PageLoader(source, section: 0) { _ in await desk.page }
    await loader.refresh()
    try expect(await source.snapshot.numberOfItems == count, "the first page is all of the list")
  }

  func deleteArrivals(of count: Int) async throws {
    let arrivals = await desk.page.models.map(\.id)
    try await source.update { $0.deleteItems(arrivals) }
    try expect(
      await source.snapshot.numberOfItems == count, "\(arrivals.count) rows have come")
  }
}

/// Hands out a page that was made before.
private actor Desk {
  private var random = SplitMix64(seed: 61)
  private(set) var page: Page<Model, Int>

  init(_ count: Int) {
    page = Page([Model](ids: .seeded(count, seed: 62)), next: 0)
  }

  @discardableResult
  func prepare(_ count: Int) -> [Model] {
    page = Page([Model](ids: (0..<count).map { _ in UUID(&random) }), next: 0)
    return page.models
  }
}
