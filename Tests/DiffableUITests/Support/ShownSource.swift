import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

/// A source, and the controller that shows it in a view.
@MainActor
final class ShownSource<Fixture: ListViewFixture> {
  let source: DataSourceActor<Int, Int>
  let controller: ListController<Int, Int, Fixture.Host>
  let fixture: Fixture
  private var sentinel = 0

  init(
    in fixture: Fixture, _ snapshot: Snapshot<Int, Int> = Snapshot(),
    reordering: ReorderingHandlers<Int, Int> = ReorderingHandlers()
  ) async throws {
    self.fixture = fixture
    source = try DataSourceActor(snapshot, reordering: reordering)
    controller = fixture.makeController()
    controller.start(following: source)
    try await wait { controller.revision != nil }
  }

  /// Applies a state, and waits until it is on the screen.
  func apply(
    _ snapshot: Snapshot<Int, Int>, presentation: Presentation = .animated
  ) async throws {
    let revision = try await source.apply(snapshot, presentation: presentation).revision
    try await wait { (controller.revision ?? .empty) >= revision }
  }

  /// Changes the state, and waits until that is on the screen.
  func update(
    _ edit: sending (inout Snapshot<Int, Int>) throws -> Void
  ) async throws {
    let revision = try await source.update(edit).revision
    try await wait { (controller.revision ?? .empty) >= revision }
  }

  /// Waits until everything that was begun is done and on the screen.
  ///
  /// It writes something and waits for it: a drag and a fold have their turn before that.
  func settle() async throws {
    sentinel -= 1
    let section = sentinel
    // A fold and the end of a drag begin with a hop.
    for _ in 0..<4 { await Task.yield() }
    let revision = try await source.update { $0.appendSections([section]) }.revision
    try await wait { (controller.revision ?? .empty) >= revision }
  }
}
