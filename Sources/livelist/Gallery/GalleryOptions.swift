/// How often the writers of `livelist gallery` write, and when it stops.
struct GalleryOptions: Equatable, Sendable {
  /// The reasonable intervals between two changes of a writer, in seconds.
  static let intervals = 0.05...3600.0

  var interval = Duration.seconds(1)
  /// The number of batches after which to stop; `nil` continues until the user quits.
  var frames: Int?
}
