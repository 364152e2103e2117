import Diffable

/// How `livelist stream` says what changed.
struct StreamOptions: Equatable, Sendable {
  /// The kind of list view whose rules each stage keeps; `nil` gives the change as a whole.
  var stages: StageProfile?
  /// The life that the tokens of the deltas name; `nil` begins a new one.
  var epoch: Epoch?
}

/// The kinds of list views, by the names the command line has for them.
enum StageProfile: String, CaseIterable, Sendable {
  case collectionView
  case tableView
  case movesApart
  case sequential
}

extension StageProfile {
  /// The rules that the stages keep.
  var listProfile: ListProfile {
    switch self {
    case .collectionView: .collectionView
    case .tableView: .tableView
    case .movesApart: .movesApart
    case .sequential: .sequential
    }
  }
}
