/// How much `livelist follow` shows.
struct FollowOptions: Equatable, Sendable {
  /// The greatest number of lines that a list takes.
  var rows = 40
}
