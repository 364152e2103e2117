/// Why a list no longer follows a source.
public enum FollowingEnd: Hashable, Sendable {
  /// The source has finished, or was released. Its last state is on display.
  case sourceFinished
  /// The task was cancelled.
  case cancelled
  /// The list follows something else.
  case superseded
  /// The host was released.
  case hostGone
}
