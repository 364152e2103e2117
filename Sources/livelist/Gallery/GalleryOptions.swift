/// How often the writers of `livelist gallery` write, and how long it goes on.
struct GalleryOptions: Equatable, Sendable {
  /// The lengths of time between two changes of a writer that make sense, in seconds.
  static let intervals = 0.05...3600.0

  var interval = Duration.seconds(1)
  /// After how many batches to stop; `nil` goes on until somebody quits.
  var frames: Int?
}
