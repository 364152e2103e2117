import Diffable

/// How `livelist stream` prints changes.
struct StreamOptions: Equatable, Sendable {
  /// The kind of list view whose rules each stage obeys; `nil` prints the change as a whole.
  var stages: StageProfile?
  /// The epoch of the tokens of the deltas; `nil` begins a new one.
  var epoch: Epoch?
}

/// The kinds of list views, by their names on the command line.
enum StageProfile: String, CaseIterable, Sendable {
  case collectionView
  case tableView
  case movesApart
  case sequential
}

extension StageProfile {
  /// The rules that the stages obey.
  var listProfile: ListProfile {
    switch self {
    case .collectionView: .collectionView
    case .tableView: .tableView
    case .movesApart: .movesApart
    case .sequential: .sequential
    }
  }
}
