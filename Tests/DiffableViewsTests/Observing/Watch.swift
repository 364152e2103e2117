import Observation
import Synchronization

/// Whether what a closure reads has changed since.
final class Watch: Sendable {
  private let flag = Atomic(false)
  var hasFired: Bool { flag.load(ordering: .relaxed) }

  @MainActor
  init(_ read: () -> Void) {
    withObservationTracking(read) { [self] in flag.store(true, ordering: .relaxed) }
  }
}
