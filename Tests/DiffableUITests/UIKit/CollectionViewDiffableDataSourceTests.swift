import Diffable
import DiffableTesting
import DiffableUI
import DiffableViews
import Testing
import UIKit
import TestScope

@Suite(.deadline) @MainActor
struct CollectionViewDiffableDataSourceTests {
  typealias NumberCell = CollectionViewFixture.NumberCell
  typealias DataSource = CollectionViewDiffableDataSource<Int, Int>

  @Test("An applied state is on the screen when apply returns")
  func apply() async throws {
    let fixture = CollectionViewFixture()
    let dataSource = fixture.makeDataSource()
    try await dataSource.apply(state([1, 2], [3]))
    #expect(fixture.numbers == [1, 2, 3])
    try await dataSource.apply(state([2, 4], [3]), animatingDifferences: false)
    #expect(fixture.numbers == [2, 4, 3])
    try await dataSource.applySnapshotUsingReloadData(state([9]))
    #expect(fixture.numbers == [9])
    #expect(try dataSource.snapshot() == state([9]))
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("Identifiers and index paths are those of the screen")
  func questions() async throws {
    let fixture = CollectionViewFixture()
    let dataSource = fixture.makeDataSource()
    try await dataSource.apply(state([1, 2], [3]))
    #expect(dataSource.indexPath(for: 3) == IndexPath(item: 0, section: 1))
    #expect(dataSource.indexPath(for: 7) == nil)
    #expect(dataSource.itemIdentifier(for: IndexPath(item: 1, section: 0)) == 2)
    #expect(dataSource.itemIdentifier(for: IndexPath(item: 5, section: 0)) == nil)
    for path in [IndexPath(), [0], [0, 1, 0], [-1, 0], [0, .max]] as [IndexPath] {
      #expect(dataSource.itemIdentifier(for: path) == nil, "\(path)")
    }
    #expect(dataSource.sectionIdentifier(for: 1) == 101)
    #expect(dataSource.index(for: 101) == 1)
    #expect(dataSource.sectionIdentifier(for: 2) == nil)
  }

  @Test("Snapshots that are applied without waiting come in order, and the last one counts")
  func applyWithoutWaiting() async throws {
    let fixture = CollectionViewFixture()
    let dataSource = fixture.makeDataSource()
    var completions: [Int] = []
    await withCheckedContinuation { done in
      for number in 1...5 {
        var snapshot = dataSource.snapshot()
        if number == 1 { snapshot.appendSections([100]) }
        try? snapshot.appendItems([number], toSection: 100)
        dataSource.apply(snapshot) {
          completions.append(number)
          if number == 5 { done.resume() }
        }
      }
      // Nothing has happened yet, and nothing is forgotten.
      #expect(dataSource.snapshot().itemIdentifiers == [1, 2, 3, 4, 5])
      #expect(fixture.numbers.isEmpty)
    }
    #expect(fixture.numbers == [1, 2, 3, 4, 5])
    #expect(completions == [1, 2, 3, 4, 5])
  }

  @Test("What the first caller has bound to its task does not reach the others")
  func taskLocalValues() async throws {
    let fixture = CollectionViewFixture()
    let dataSource = fixture.makeDataSource()
    var callers: [String?] = []
    let (first, second) = (try state([1]), try state([1, 2]))
    CallerName.$current.withValue("first") {
      dataSource.apply(first) { callers.append(CallerName.current) }
    }
    dataSource.apply(second) { callers.append(CallerName.current) }
    try await wait { callers.count == 2 }
    #expect(callers == [nil, nil])
  }

  private enum CallerName {
    @TaskLocal static var current: String?
  }

  @Test("Of states that are applied without waiting, one that is to be loaded loads them all")
  func reloadWithoutWaiting() async throws {
    let fixture = CollectionViewFixture()
    let dataSource = fixture.makeDataSource()
    try await dataSource.apply(state([1]))
    let count = fixture.batchUpdateCount
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      do {
        dataSource.applySnapshotUsingReloadData(try state([1, 2])) {}
        dataSource.apply(try state([1, 2, 3])) { done.resume() }
      } catch {
        done.resume(throwing: error)
      }
    }
    #expect(fixture.numbers == [1, 2, 3] && fixture.batchUpdateCount == count)
    try await dataSource.apply(state([1, 2, 3, 4]))
    #expect(fixture.batchUpdateCount == count + 1)
  }

  @Test("States that are replaced leave their marks and renames to the one that is shown")
  func marksWithoutWaiting() async throws {
    let fixture = CollectionViewFixture()
    var configured: [Int] = []
    let registration = UICollectionView.CellRegistration<UICollectionViewCell, Int> { _, _, item in
      configured.append(item)
    }
    let dataSource = DataSource(collectionView: fixture.view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    try await dataSource.apply(state([1, 2, 3]))
    configured = []
    var marked = try state([1, 2, 3])
    try marked.reconfigureItems([2])
    try marked.renameItem(3, to: 30)
    // Snapshots that are made afresh know nothing of the marks.
    let newest = try state([1, 2, 30, 4])
    await withCheckedContinuation { done in
      dataSource.apply(marked)
      dataSource.apply(newest) { done.resume() }
    }
    #expect(configured.sorted() == [2, 4, 30])
    #expect(dataSource.snapshot() == newest)
  }

  @Test("A state that is not valid is an error, and nothing has changed")
  func invalid() async throws {
    let fixture = CollectionViewFixture()
    let dataSource = fixture.makeDataSource()
    try await dataSource.apply(state([1]))
    let twice = try state([2, 2])
    await #expect(throws: DataSourceError.self) { try await dataSource.apply(twice) }
    let error = await withCheckedContinuation { done in
      dataSource.errorHandler = { done.resume(returning: $0) }
      dataSource.apply(twice) { Issue.record("It was refused") }
    }
    #expect(error is DataSourceError)
    #expect(fixture.numbers == [1])
    #expect(try dataSource.snapshot() == state([1]))
  }

  @Test("Others write to the source, and the view follows")
  func otherWriters() async throws {
    let fixture = CollectionViewFixture()
    let dataSource = fixture.makeDataSource()
    try await dataSource.apply(state([1]))
    let source = dataSource.source
    try await Task.detached {
      _ = try await source.updateOrder { try $0.appendItems([2], toSection: 100) }
    }.value
    #expect(dataSource.snapshot().itemIdentifiers == [1, 2])
    try await dataSource.apply(state([1, 2, 3]))
    #expect(fixture.numbers == [1, 2, 3])
  }

  @Test("Where the provider has no cell, an empty one is shown")
  func noCell() async throws {
    let fixture = CollectionViewFixture()
    let dataSource = fixture.makeDataSource()
    var errors: [any Error] = []
    dataSource.errorHandler = { errors.append($0) }
    try await dataSource.apply(state([1, -1]))
    #expect(fixture.numbers == [1, nil])
    #expect(errors.first as? ListError == .noCell(item: AnyItemID(-1)))
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("Headers come from the supplementary view provider")
  func headers() async throws {
    final class Title: UICollectionReusableView { var text = "" }
    let fixture = CollectionViewFixture(headerHeight: 10)
    let dataSource = fixture.makeDataSource()
    let titles = UICollectionView.SupplementaryRegistration<Title>(
      elementKind: UICollectionView.elementKindSectionHeader
    ) { [weak dataSource] view, _, path in
      view.text = dataSource?.sectionIdentifier(for: path.section).map { "\($0)" } ?? ""
    }
    dataSource.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: titles, for: path)
    }
    try await dataSource.apply(state([1], [2]))
    let header = fixture.view.supplementaryView(
      forElementKind: UICollectionView.elementKindSectionHeader,
      at: IndexPath(item: 0, section: 1))
    #expect((header as? Title)?.text == "101")
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A section that is reconfigured gets its header again, and others keep theirs")
  func reconfiguredSections() async throws {
    typealias Title = CollectionViewFixture.Title
    let fixture = CollectionViewFixture(headerHeight: 10)
    let dataSource = fixture.makeDataSource()
    var number = 1
    let titles = UICollectionView.SupplementaryRegistration<Title>(
      elementKind: fixture.headerKind
    ) { view, _, _ in view.number = number }
    dataSource.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: titles, for: path)
    }
    func header(_ section: Int) -> Title? {
      fixture.view.supplementaryView(
        forElementKind: fixture.headerKind, at: IndexPath(item: 0, section: section)) as? Title
    }
    var snapshot = try state([1], [2, 3], [])
    try await dataSource.apply(snapshot)
    #expect((0..<3).map { header($0)?.number } == [1, 1, 1])
    let first = header(0)
    number = 2
    try snapshot.reconfigureSections([101, 102])
    try snapshot.reconfigureItems([1, 2])
    try await dataSource.apply(snapshot)
    #expect((0..<3).map { header($0)?.number } == [1, 2, 2])
    #expect(header(0) === first && fixture.numbers == [1, 2, 3])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("Random states, awaited or not, end on the screen as they are", arguments: 0..<10)
  func randomStates(seed: UInt64) async throws {
    let fixture = CollectionViewFixture(height: 120)
    let dataSource = fixture.makeDataSource()
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    var last = Snapshot<Int, Int>()
    for step in 0..<rounds(20) {
      last = generator.changing(
        last, by: generator.random.element(of: SnapshotChange.allCases) ?? .mixed)
      if generator.random.chance(oneIn: 2) {
        dataSource.apply(
          last, animatingDifferences: generator.random.chance(oneIn: 2), completion: nil)
        continue
      }
      try await dataSource.apply(last)
      // A list that is applied to an outline leaves it one, with the same rows.
      let shown = dataSource.snapshot()
      #expect(shown.sectionIdentifiers == last.sectionIdentifiers, "seed \(seed), step \(step)")
      #expect(shown.itemIdentifiers == last.itemIdentifiers, "seed \(seed), step \(step)")
      let visible = fixture.view.indexPathsForVisibleItems.sorted()
      #expect(
        fixture.numbers == visible.map { dataSource.itemIdentifier(for: $0) },
        "seed \(seed), step \(step)")
    }
    #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
  }

  @Test("A prefetch data source of the app stays that of the view, and is told what comes")
  func prefetching() async throws {
    final class Prefetching: NSObject, UICollectionViewDataSourcePrefetching {
      var paths: Set<IndexPath> = []
      func collectionView(
        _ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]
      ) { paths.formUnion(indexPaths) }
    }
    let fixture = CollectionViewFixture(height: 60)
    let own = Prefetching()
    fixture.view.prefetchDataSource = own
    let dataSource = fixture.makeDataSource()
    try await dataSource.apply(state(Array(0..<10)))
    #expect(fixture.view.prefetchDataSource === own)
    #expect(own.paths == Set((3..<6).map { IndexPath(item: $0, section: 0) }))
    // Without one, the next host takes the place of the former one.
    fixture.view.prefetchDataSource = nil
    for _ in 0..<2 {
      let host = fixture.makeHost()
      #expect(fixture.view.prefetchDataSource === fixture.view.dataSource)
      withExtendedLifetime(host) {}
    }
  }

  @Test("A data source that nobody holds lets go of the source")
  func release() async throws {
    let fixture = CollectionViewFixture()
    weak var source: (any WritableListSource<Int, Int>)?
    do {
      let dataSource = fixture.makeDataSource()
      try await dataSource.apply(state([1]))
      source = dataSource.source
    }
    try await wait { source == nil }
    #expect(fixture.view.dataSource == nil)
  }
}
