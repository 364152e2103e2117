/// Why a list follows a source no longer.
public enum FollowingEnd: Hashable, Sendable {
  /// The source has finished, or nobody holds it any longer. Its last state is on display.
  case sourceFinished
  /// The task was cancelled.
  case cancelled
  /// The list follows something else.
  case superseded
  /// The host has gone.
  case hostGone
}
