/// How much `livelist follow` shows.
struct FollowOptions: Equatable, Sendable {
  /// The maximum number of lines for a list.
  var rows = 40
}
