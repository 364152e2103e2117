import Diffable
import ListSupport
import Synchronization
import TestScope
import Testing

/// What concurrent operations answer must be what some sequence of them answers, one in which no
/// operation comes before another that had returned when it was called.
///
/// Each operation names its place in that sequence, its revision, so there is nothing to search.
@Suite(.deadline, .serialized) struct LinearizabilityTests {
  struct Operation {
    enum Kind { case write, update, read }

    let kind: Kind
    var called = 0
    var returned = 0
    let revision: Revision
    /// The content it wrote or read.
    let content: [Int]
    /// The content it found, for updates.
    var found: [Int]?
  }

  /// What is wrong with a history that starts with an empty list at revision 0.
  static func violations(in history: [Operation]) -> [String] {
    var violations: [String] = []
    let writes = history.filter { $0.kind != .read }.sorted { $0.revision < $1.revision }
    if writes.map(\.revision.number) != Array(1..<(writes.count + 1)) {
      return ["the revisions of the writes have gaps or doubles"]
    }
    let contents = [[]] + writes.map(\.content)
    for operation in history {
      let number = operation.revision.number
      guard contents.indices.contains(number) else {
        violations.append("\(operation.revision) was read, but never written")
        continue
      }
      if operation.content != contents[number] {
        violations.append("\(operation.kind) of \(operation.revision) has other content")
      }
      if let found = operation.found, found != contents[number - 1] {
        violations.append("the update to \(operation.revision) did not find the one before")
      }
    }
    // A write comes at its place, the reads of what it wrote after it, in any order.
    let places = Dictionary(grouping: history) {
      $0.revision.number * 2 + ($0.kind == .read ? 1 : 0)
    }
    var lastCall = 0
    for place in places.keys.sorted() {
      let operations = places[place] ?? []
      for operation in operations where operation.returned < lastCall {
        violations.append("\(operation.revision) was answered before an earlier one was called")
      }
      lastCall = max(lastCall, operations.map(\.called).max() ?? 0)
    }
    return violations
  }

  /// Lets tasks act at the same time and records what each did.
  static func record(
    tasks: Int, operations: Int,
    act: @escaping @Sendable (_ task: Int, _ number: Int) async throws -> Operation
  ) async throws -> [Operation] {
    let clock = Clock()
    return try await withThrowingTaskGroup(of: [Operation].self) { group in
      for task in 0..<tasks {
        group.addTask {
          var history: [Operation] = []
          for number in 0..<operations {
            let called = clock.tick()
            var operation = try await act(task, number)
            operation.returned = clock.tick()
            operation.called = called
            history.append(operation)
          }
          return history
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  @Test func `Writers and readers see one order`() async throws {
    let source = Source()
    let history = try await Self.record(tasks: 16, operations: 300) { task, number in
      switch (task + number) % 4 {
      case 0:
        let items = [task * 1000 + number]
        return Operation(
          kind: .write, revision: try await source.apply(.list(items)).revision, content: items)
      case 1, 2:
        let edit = try await source.update { snapshot in
          let found = snapshot.itemIdentifiers
          let item = task * 1000 + number
          if snapshot.numberOfSections == 0 { snapshot.appendSections(["list"]) }
          if found.count > 8 { snapshot.deleteItems(found.prefix(4)) }
          if !found.contains(item) { try snapshot.appendItems([item]) }
          return (found, snapshot.itemIdentifiers)
        }
        return Operation(
          kind: .update, revision: edit.revision, content: edit.value.1, found: edit.value.0)
      default:
        let state = await source.current
        return Operation(
          kind: .read, revision: state.revision, content: state.snapshot.itemIdentifiers)
      }
    }
    #expect(Self.violations(in: history).isEmpty)
    #expect(history.count == 16 * 300)
  }

  @Test func `An answer that comes before its place is found`() {
    let history = [
      Operation(kind: .write, called: 5, returned: 6, revision: Revision(1), content: [1]),
      Operation(kind: .read, called: 1, returned: 2, revision: Revision(1), content: [1]),
    ]
    #expect(!Self.violations(in: history).isEmpty)
  }
}

/// A clock that only knows before and after.
private final class Clock: Sendable {
  private let ticks = Atomic(0)

  func tick() -> Int {
    ticks.add(1, ordering: .sequentiallyConsistent).newValue
  }
}
