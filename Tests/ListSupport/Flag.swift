import Synchronization

/// Something that has not happened yet, that a task can wait for without a thread.
package final class Flag: Sendable {
  private let state = Atomic(false)

  package init() {}

  package var isRaised: Bool { state.load(ordering: .acquiring) }

  package func raise() { state.store(true, ordering: .releasing) }
}
