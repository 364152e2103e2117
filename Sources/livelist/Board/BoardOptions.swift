/// Which board `livelist board` shows, and when it stops.
struct BoardOptions: Equatable, Sendable {
  /// The address that the server has printed.
  var server: BoardServer
  /// The number of batches after which to stop; `nil` continues until the user quits.
  var frames: Int?
}
