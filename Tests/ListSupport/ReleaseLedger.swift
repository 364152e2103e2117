import Synchronization

/// Counts releases, and those on the main queue.
package final class ReleaseLedger: Sendable {
  private let all = Atomic(0)
  private let onMain = Atomic(0)

  /// The mark of the queue must be there before anything is released.
  package init() { _ = isOnMainQueue }

  package var released: Int { all.load(ordering: .acquiring) }
  package var releasedOnMain: Int { onMain.load(ordering: .acquiring) }

  fileprivate func noteRelease() {
    if isOnMainQueue { onMain.add(1, ordering: .relaxed) }
    all.add(1, ordering: .releasing)
  }
}

/// An identifier that tells where it is released.
package final class LedgerID: Hashable, Sendable {
  private let ledger: ReleaseLedger

  package init(_ ledger: ReleaseLedger) { self.ledger = ledger }

  deinit { ledger.noteRelease() }

  package static func == (left: LedgerID, right: LedgerID) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
