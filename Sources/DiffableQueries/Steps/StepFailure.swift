import Diffable

/// Why a planned change was not made.
enum StepFailure: Error {
  /// The result is not valid.
  case refused(SnapshotError)
  /// Rows of a tree name each other in a circle, which is only found during the change.
  case circle
}
