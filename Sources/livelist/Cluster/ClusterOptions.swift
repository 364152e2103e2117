/// Which machines `livelist cluster` shows, and when it stops.
struct ClusterOptions: Equatable, Sendable {
  var address = ClusterAddress()
  var sort = ProcessOrder.cpu
  /// The number of batches after which to stop; `nil` continues until the user quits.
  var frames: Int?
}
