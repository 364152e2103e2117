extension ServedList {
  /// A board in a file that pages may change: they go on after the server was started again, or killed.
  static func board(_ source: KeptBoard) -> ServedList {
    ServedList("board", source, deciding: BoardRules.decide)
  }
}
