internal import Synchronization

/// The lookup table that a detached snapshot makes when it is first asked for an identifier, shared by
/// all its copies until they are edited.
///
/// The only state is an atomic reference that is set once and the number of questions so far, so
/// questions may come from any task.
final class Resolution: Sendable {
  private let cache = AtomicLazyReference<Box>()
  /// The number of questions, and of answers that were kept.
  private let uses = Atomic(0)
  private let uniqueness = AtomicLazyReference<UniquenessProof>()

  private final class Box: Sendable {
    let snapshot: UntypedSnapshot
    init(_ snapshot: UntypedSnapshot) { self.snapshot = snapshot }
  }

  /// The table of the source that handed the snapshot out.
  let live: LiveTable?

  init(asking live: LiveTable? = nil) {
    self.live = live
  }

  /// Whether a question may be answered without a table: only a value that is asked often is worth
  /// one.
  var isAskedSeldom: Bool {
    uses.load(ordering: .relaxed) < 16 && uses.add(1, ordering: .relaxed).oldValue < 16
  }

  /// Whether nobody has asked anything, so that nothing is known that an edit could make wrong.
  ///
  /// Only whoever alone holds this may rely on it.
  var isUntouched: Bool { uses.load(ordering: .relaxed) == 0 }

  /// The snapshot that this belongs to, with its table, if that has been made.
  var cached: UntypedSnapshot? {
    // The number is asked first since it takes less than the reference.
    isUntouched ? nil : cache.load()?.snapshot
  }

  /// The snapshot that this belongs to, with its table, made by a function the first time.
  func resolve(_ make: () -> UntypedSnapshot) -> UntypedSnapshot {
    if let known = cache.load() { return known.snapshot }
    uses.add(1, ordering: .relaxed)
    return cache.storeIfNil(Box(make())).snapshot
  }

  /// That no identifier appears twice, where a comparison has proved it.
  var proof: UniquenessProof? { isUntouched ? nil : uniqueness.load() }

  func remember(_ proof: UniquenessProof) {
    uses.add(1, ordering: .relaxed)
    _ = uniqueness.storeIfNil(proof)
  }
}
