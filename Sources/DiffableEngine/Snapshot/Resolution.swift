internal import Synchronization

/// The lookup table that a detached snapshot makes on demand.
///
/// All its copies share it until they are edited. The only state is an atomic reference that is set
/// once and the number of lookups so far, so lookups may come from any task.
package final class Resolution: Sendable {
  private let cache = AtomicLazyReference<Box>()
  /// The number of lookups, weighted by their cost, and of results that were kept.
  private let uses = Atomic(0)
  private let uniqueness = AtomicLazyReference<ElementHashes>()

  private final class Box: Sendable {
    let snapshot: UntypedSnapshot
    init(_ snapshot: UntypedSnapshot) { self.snapshot = snapshot }
  }

  /// The table of the source that delivered the snapshot.
  package let live: LiveTable?

  init(asking live: LiveTable? = nil) {
    self.live = live
  }

  /// Whether a lookup may be done without a table: only a snapshot with many lookups is worth one.
  package var isAskedSeldom: Bool {
    uses.load(ordering: .relaxed) < 16 && uses.add(1, ordering: .relaxed).oldValue < 16
  }

  /// Whether lookups without the table have cost less than a limit so far.
  package func hasSpentLess(than limit: Int) -> Bool { uses.load(ordering: .relaxed) < limit }

  /// Notes what a lookup without the table has cost.
  package func spend(_ cost: Int) { uses.add(cost, ordering: .relaxed) }

  /// Whether there were no lookups yet, so that no result is kept that an edit could invalidate.
  ///
  /// Only the sole holder of this object may rely on it.
  var isUntouched: Bool { uses.load(ordering: .relaxed) == 0 }

  /// The snapshot that this belongs to, with its table, if it has been made.
  package var cached: UntypedSnapshot? {
    // The number is read first since that is cheaper than reading the reference.
    isUntouched ? nil : cache.load()?.snapshot
  }

  /// The snapshot that this belongs to, with its table; a function makes it the first time.
  package func resolve(_ make: () -> UntypedSnapshot) -> UntypedSnapshot {
    if let known = cache.load() { return known.snapshot }
    uses.add(1, ordering: .relaxed)
    return cache.storeIfNil(Box(make())).snapshot
  }

  /// The proof that no identifier appears twice, if a comparison has found it: all hashes.
  ///
  /// A list that was compared once is neither checked nor hashed again.
  package var proof: ElementHashes? { isUntouched ? nil : uniqueness.load() }

  package func remember(_ proof: ElementHashes) {
    uses.add(1, ordering: .relaxed)
    _ = uniqueness.storeIfNil(proof)
  }
}

/// The stored hashes of the elements of a value, in their order; 0 for one that is not known yet.
///
/// `@unchecked Sendable`: only the comparison that made the object writes hashes, before anything
/// else has access to it. It is shared as the proof that a value has no element twice, which has all
/// hashes; a known hash is never written again.
package final class ElementHashes: @unchecked Sendable {
  package let values: UnsafeMutableBufferPointer<UInt32>

  package init(count: Int) {
    values = .allocate(capacity: count)
    values.initialize(repeating: 0)
  }

  deinit { values.deallocate() }
}
