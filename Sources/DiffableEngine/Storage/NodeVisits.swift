import Synchronization

/// Counts how often the nodes of trees are read, for tests of what operations cost.
///
/// A count depends only on the work that is done. So a test can compare the counts of a small and of
/// a large list where times would depend on the machine. Only debug builds count.
package final class NodeVisits: Sendable {
  /// Whether this build counts.
  package static var areCounted: Bool {
    #if DEBUG
    true
    #else
    false
    #endif
  }

  private let number = Atomic(0)

  #if DEBUG
  @TaskLocal private static var current: NodeVisits?
  /// The number of counts under way: looking it up is quicker than looking for one of this task.
  private static let countsUnderWay = Atomic(0)
  #endif

  /// The number of visits while a function runs, in its task and in the child tasks of that.
  nonisolated(nonsending) package static func counted(
    _ body: nonisolated(nonsending) () async throws -> Void
  ) async rethrows -> Int {
    #if DEBUG
    let visits = NodeVisits()
    countsUnderWay.wrappingAdd(1, ordering: .relaxed)
    defer { countsUnderWay.wrappingSubtract(1, ordering: .relaxed) }
    try await $current.withValue(visits) { try await body() }
    return visits.number.load(ordering: .relaxed)
    #else
    try await body()
    return 0
    #endif
  }

  /// Counts a visit of a node.
  @inline(__always) static func note() {
    #if DEBUG
    guard countsUnderWay.load(ordering: .relaxed) > 0 else { return }
    current?.number.wrappingAdd(1, ordering: .relaxed)
    #endif
  }
}
