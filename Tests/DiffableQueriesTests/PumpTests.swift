import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

/// What the task that follows a source takes from those for whom it does.
@Suite("A derived source works for all its subscribers", .deadline) struct PumpTests {
  typealias Derived = DerivedLawTests.Derived

  enum Local { @TaskLocal static var name = "none" }

  /// The tasks in which a query was computed for new rows.
  final class Log: Sendable {
    private let entries = Lock<[(priority: TaskPriority, name: String)]>([])

    func note() {
      let entry = (Task.currentPriority, Local.name)
      entries.withLock { $0.append(entry) }
    }

    func take() -> [(priority: TaskPriority, name: String)] {
      entries.withLock { entries in
        defer { entries = [] }
        return entries
      }
    }
  }

  private static func reader(
    of derived: Derived, _ priority: TaskPriority, _ name: String
  ) -> Task<Void, Never> {
    Task.detached(priority: priority) {
      await Local.$name.withValue(name) { for await _ in derived.updates() {} }
    }
  }

  @Test("It takes the highest priority of those that wait, and no task-local values")
  func priorities() async throws {
    let log = Log()
    let base = try await Notes.of([Note(id: 0)])
    let middle = base.derived { query in
      query.filter { note in
        if note.id > 0 { log.note() }
        return true
      }
    }
    let derived = middle.derived { query in
      query.filter { note in
        if note.id > 0 { log.note() }
        return true
      }
    }
    let first = Self.reader(of: derived, .background, "first")
    try await wait { derived.population.waiting == 1 }
    try await base.update { try $0.appendItems([Note(id: 1)], toSection: 0) }
    try await wait { await derived.revision.number == 2 && derived.population.waiting == 1 }
    for entry in log.take() { #expect(entry.priority == .medium && entry.name == "none") }
    // One that the user waits for comes later.
    let second = Self.reader(of: derived, .userInitiated, "second")
    try await wait { derived.population.waiting == 2 }
    try await base.update { try $0.appendItems([Note(id: 2)], toSection: 0) }
    try await wait { await derived.revision.number == 3 && derived.population.waiting == 2 }
    let entries = log.take()
    #expect(!entries.isEmpty)
    for entry in entries { #expect(entry.priority >= .userInitiated && entry.name == "none") }
    // The first goes, and the second stays.
    first.cancel()
    await first.value
    try await base.update { try $0.appendItems([Note(id: 3)], toSection: 0) }
    try await wait { await derived.revision.number == 4 && derived.population.waiting == 1 }
    for entry in log.take() { #expect(entry.priority >= .userInitiated && entry.name == "none") }
    second.cancel()
  }

  @Test("What rows that expire cost is nobody's either") func alarm() async throws {
    let (log, clock) = (Log(), ManualClock())
    let base = try await Notes.of([Note(id: 0)])
    try await base.apply((0..<3).map { Note(id: $0, title: $0) }, section: \.folder)
    let derived = base.derived { query in
      query.expiring(clock: clock) { note in
        log.note()
        return QueryScript.deadline(note)
      }
    }
    let reader = Self.reader(of: derived, .background, "reader")
    try await wait { derived.population.waiting == 1 && clock.sleeping == 1 }
    _ = log.take()
    clock.advance(by: .seconds(4))
    try await wait { await derived.revision.number == 2 && derived.population.waiting == 1 }
    let entries = log.take()
    #expect(!entries.isEmpty)
    for entry in entries { #expect(entry.priority >= .medium && entry.name == "none") }
    reader.cancel()
  }
}
