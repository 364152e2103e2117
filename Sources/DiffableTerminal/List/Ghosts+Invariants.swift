import Diffable

extension Ghosts {
  /// Checks the invariants of the type, if ``checksInvariants``.
  ///
  /// 1. No section without ghosts is listed.
  /// 2. The ghosts of a section are ordered by the item that they are before.
  func _checkInvariants() {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    for ghosts in sections.values {
      precondition(!ghosts.isEmpty, "1: a section with ghosts")
      precondition(
        zip(ghosts, ghosts.dropFirst()).allSatisfy { $0.gap <= $1.gap }, "2: order of ghosts")
    }
    #endif
  }
}
