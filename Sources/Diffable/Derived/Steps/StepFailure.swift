/// Why a planned change was not made.
enum StepFailure: Error {
  /// What it makes is not valid.
  case refused(SnapshotError)
  /// Rows of a tree name each other in a circle, which shows only on the way.
  case circle
}
