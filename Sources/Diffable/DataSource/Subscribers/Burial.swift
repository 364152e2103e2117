internal import Synchronization

/// The number of values that wait to be released by a task.
///
/// A writer that floods a source could produce them faster than tasks release them.
private let openGraves = Atomic<Int>(0)

/// The number of values that may wait; beyond that, the caller releases the value itself.
private let graveLimit = 16

/// Lets a task release a value, so that the calling thread does not pay for it.
///
/// The last release of a million heap-allocated identifiers takes tens of milliseconds on the
/// thread that performs it. Small values are released by the caller, since a task costs more than
/// the release.
///
/// - Parameters:
///   - grave: Holds the value to release. It should be the only holder.
///   - weight: The approximate number of identifiers that it holds.
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
