import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

/// A list is one subscriber of the source that it follows, and none of any other.
@Suite("A list leaves no subscriber behind", .deadline)
@MainActor
struct SubscriberTests {
  typealias Source = DataSourceActor<Int, Int>

  /// Checks that the list is the only subscriber, waits for batches, and settles.
  private func check(_ source: Source, _ controller: Controller, _ name: String) async throws {
    let revision = try await source.update { try $0.appendItems([$0.numberOfItems + 100]) }.revision
    try await wait { controller.revision == revision }
    try await wait { source.population == Population(subscribers: 1, waiting: 1) }
    try await ended { await source.delivered(revision) }
  }

  private func followed(
    _ list: List, reordering: ReorderingHandlers<Int, Int> = .init()
  ) async throws -> (host: Host, controller: Controller, source: Source) {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    let source = try Source(list, reordering: reordering)
    controller.start(following: source)
    try await wait { controller.revision != nil }
    return (host, controller, source)
  }

  /// How a drag ends.
  enum DragEnd: CaseIterable {
    case committed, committedTwice, committedAfterOthers, unchanged, cancelled, vetoed, notAllowed
    case unknown, moved, movedByView
  }

  @Test("However a drag ends, its list is one subscriber", arguments: DragEnd.allCases)
  func drags(_ end: DragEnd) async throws {
    let handlers = ReorderingHandlers<Int, Int>(canReorder: { items, destination, _ in
      !items.contains(9) && destination != .after(9)
    })
    let (host, controller, source) = try await followed(
      list([1, 2, 3], [4, 5, 9]), reordering: handlers)
    switch end {
    case .committed, .committedTwice:
      for place in end == .committed ? [5] : [5, 2, 5] {
        #expect(try await controller.beginReorder([1]))
        try await controller.proposeReorder(to: .after(place))
        #expect(try await controller.commitReorder() != nil)
      }
    case .committedAfterOthers:
      #expect(try await controller.beginReorder([1]))
      try await source.update { $0.deleteItems([4]) }
      try await controller.proposeReorder(to: .after(5))
      try await source.update { try $0.appendItems([6]) }
      #expect(try await controller.commitReorder() != nil)
      #expect(await controller.snapshot == source.snapshot)
    case .unchanged:
      #expect(try await controller.beginReorder([1]))
      #expect(try await controller.commitReorder() == nil)
    case .cancelled:
      #expect(try await controller.beginReorder([1]))
      try await controller.proposeReorder(to: .after(5))
      await controller.cancelReorder()
    case .vetoed:
      #expect(try await controller.beginReorder([1]))
      try await controller.proposeReorder(to: .after(9))
      #expect(try await controller.commitReorder() == nil)
    case .notAllowed:
      #expect(try await !controller.beginReorder([9]))
    case .unknown:
      #expect(try await !controller.beginReorder([77]))
    case .moved:
      #expect(try await controller.beginReorder([1]))
      try await controller.proposeReorder(to: .after(3))
      #expect(try await controller.commitReorder(named: "move") != nil)
      try await source.undo(.named)
    case .movedByView:
      try await wait {
        controller.didMoveItem(
          from: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 2))
      }
      try await wait { await source.revision == Revision(2) }
    }
    try await check(source, controller, "\(end)")
    // This host does not move what it reports as moved.
    if end != .movedByView { #expect(host.violations.isEmpty, "\(host.violations)") }
  }

  @Test("Following something else ends the former at once, and leaves nothing of it")
  func superseded() async throws {
    for other in 0..<4 {
      let host = Host(profile: .collectionView)
      let controller = Rows().controller(of: host)
      let (first, second) = try (Source(list([1])), Source(list([7])))
      let following = Task { await controller.follow(first) }
      try await wait { controller.revision != nil }
      var more: Task<FollowingEnd, Never>?
      var batches = Batches()
      switch other {
      case 0: controller.start(following: second)
      case 1: more = Task { await controller.follow(second) }
      case 2: await controller.show(try batches.next(list([7])))
      // The same source: from where it is.
      default: controller.start(following: first)
      }
      #expect(try await ended { await following.value } == .superseded, "\(other)")
      guard other < 3 else { return try await check(first, controller, "\(other)") }
      try await wait { controller.snapshot.itemIdentifiers == [7] }
      #expect(first.population == Population(), "\(other)")
      if other < 2 { try await check(second, controller, "\(other)") }
      controller.stop()
      more?.cancel()
      _ = await more?.value
      try await wait { second.population == Population() }
    }
  }

  @Test("During a drag, what was followed ends at once too", arguments: [false, true])
  func supersededDuringDrag(isCancelled: Bool) async throws {
    let (host, controller, _) = try await followed(list([8]))
    let source = try Source(list([1, 2, 3]))
    let following = Task { await controller.follow(source) }
    try await wait { controller.snapshot.itemIdentifiers == [1, 2, 3] }
    #expect(try await controller.beginReorder([1]))
    // Its batch waits for the end of the drag.
    try await source.update { try $0.appendItems([4]) }
    try await wait { source.population.waiting == 0 }
    let other = try Source(list([7]))
    if isCancelled {
      following.cancel()
    } else {
      controller.start(following: other)
    }
    let end = try await ended { await following.value }
    #expect(end == (isCancelled ? .cancelled : .superseded))
    // The drag goes on in the source where it began.
    try await controller.proposeReorder(to: .after(3))
    #expect(try await controller.commitReorder() != nil)
    #expect(await source.snapshot.itemIdentifiers == [2, 3, 1, 4])
    #expect(source.population == Population())
    if !isCancelled { try await check(other, controller, "other") }
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("An observed list ends the former at once, too")
  func observable() async throws {
    let list = ObservableList<Int, Int>()
    let (first, second) = try (
      Source(DiffableViewsTests.list([1])), Source(DiffableViewsTests.list([7]))
    )
    let following = Task { await list.follow(first) }
    try await wait { list.revision != nil }
    list.start(following: second)
    #expect(try await ended { await following.value } == .superseded)
    #expect(first.population == Population())
    try await wait { second.population == Population(subscribers: 1, waiting: 1) }
    let last = Task { await list.follow(first) }
    try await wait { list.snapshot.itemIdentifiers == [1] }
    #expect(second.population == Population())
    var batches = Batches()
    list.show(try batches.next(DiffableViewsTests.list([9])))
    #expect(try await ended { await last.value } == .superseded)
    #expect(first.population == Population())
  }

  @Test("A host that goes away, a stop and an end leave nothing")
  func left() async throws {
    for way in 0..<3 {
      var host: Host? = Host(profile: .collectionView)
      let controller = try Rows().controller(of: #require(host))
      let source = try Source(list([1]))
      controller.start(following: source)
      try await wait { controller.revision != nil }
      switch way {
      case 0:
        host = nil
        try await source.update { try $0.appendItems([2]) }
      case 1: controller.stop()
      default: await source.finish()
      }
      try await wait { source.population == Population() }
      withExtendedLifetime((host, controller)) {}
    }
  }
}
