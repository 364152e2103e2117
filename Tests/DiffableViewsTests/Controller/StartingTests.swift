import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("A list that follows a source for long keeps nothing of the task that started it", .deadline)
@MainActor
struct StartingTests {
  private enum Request {
    @TaskLocal static var name: String?
  }

  @Test(arguments: [TaskPriority.background, .high])
  func nothing(priority: TaskPriority) async throws {
    let source = DataSourceActor<Int, Int>()
    let host = Host(profile: .collectionView)
    var seen: [String?] = []
    var priorities: Set<UInt8> = []
    let controller = Rows().controller(of: host)
    controller.displayHandler = { _ in
      seen.append(Request.name)
      priorities.insert(Task.currentPriority.rawValue)
    }
    let observed = ObservableList<Int, Int>()
    await Task(priority: priority) {
      Request.$name.withValue("first") {
        controller.start(following: source)
        observed.start(following: source)
      }
    }.value
    let revision = try await source.apply(list([1])).revision
    #expect(await controller.displayed(revision))
    #expect(await observed.displayed(revision))
    #expect(!seen.isEmpty && seen.allSatisfy { $0 == nil })
    #expect(priorities == [TaskPriority.userInitiated.rawValue])
  }
}
