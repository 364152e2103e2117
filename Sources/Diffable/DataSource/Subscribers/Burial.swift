internal import Synchronization

/// How many values wait to be released by a task.
///
/// A writer that floods a source could make them faster than tasks release them.
private let openGraves = Atomic<Int>(0)

/// The number of values that may wait; whoever has one more releases it.
private let graveLimit = 16

/// Lets a task release values, so that no thread the caller cares for pays for it.
///
/// The last release of a million heap-allocated identifiers takes tens of milliseconds, and the
/// thread that lets go last pays. Small values are released where the caller stands, since a task
/// costs more than they do.
///
/// - Parameters:
///   - grave: Holds what to release. Nobody else should hold it any longer.
///   - weight: About how many identifiers it holds.
package func bury<Value>(_ grave: Handover<Value>, weight: Int) {
  guard weight > 4096 else { return }
  guard openGraves.wrappingAdd(1, ordering: .relaxed).newValue <= graveLimit else {
    openGraves.wrappingSubtract(1, ordering: .relaxed)
    return
  }
  Task.detached(priority: .utility) {
    _ = grave.take()
    openGraves.wrappingSubtract(1, ordering: .relaxed)
  }
}
