/// How often somebody writes in `livelist chat`, and when it stops.
struct ChatOptions: Equatable, Sendable {
  /// The reasonable intervals between two messages, in seconds.
  static let intervals = 0.05...3600.0

  var interval = Duration.seconds(2)
  /// The number of batches after which to stop; `nil` continues until the user quits.
  var frames: Int?
}
