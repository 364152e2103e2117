/// How `livelist processes` lists processes, and when it stops.
struct ProcessesOptions: Equatable, Sendable {
  /// The reasonable intervals between two samples, in seconds.
  static let intervals = 0.1...3600.0

  var sort = ProcessOrder.cpu
  var grouping = ProcessArrangement.Grouping.users
  var interval = Duration.seconds(1)
  /// The name under which other machines can see the processes; `nil` if they cannot.
  var name: String?
  var address = ClusterAddress()
  /// The number of batches after which to stop; `nil` continues until the user quits.
  var frames: Int?

  var arrangement: ProcessArrangement { ProcessArrangement(order: sort, grouping: grouping) }
}
