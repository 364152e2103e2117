import Foundation

/// Which board `livelist board` shows, and when it stops.
struct BoardOptions: Equatable, Sendable {
  /// Where a board is.
  enum Place: Equatable, Sendable {
    /// At a server, by the address that the server has printed.
    case server(BoardServer)
    /// In a file; `nil` for the one of this user.
    case file(String?)
  }

  var place = Place.file(nil)
  /// The number of batches after which to stop; `nil` continues until the user quits.
  var frames: Int?
}
