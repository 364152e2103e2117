/// How `livelist processes` lists and how long.
struct ProcessesOptions: Equatable, Sendable {
  /// The lengths of time between two looks that make sense, in seconds.
  static let intervals = 0.1...3600.0

  var sort = ProcessOrder.cpu
  var grouping = ProcessArrangement.Grouping.users
  var interval = Duration.seconds(1)
  /// After how many batches to stop; `nil` goes on until somebody quits.
  var frames: Int?

  var arrangement: ProcessArrangement { ProcessArrangement(order: sort, grouping: grouping) }
}

/// What processes are sorted by.
enum ProcessOrder: String, CaseIterable, Sendable {
  case cpu
  case memory
  case pid
}
