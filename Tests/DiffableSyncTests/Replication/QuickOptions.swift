import DiffableSync

extension ReplicationOptions {
  /// Short pauses, for tests.
  static var quick: ReplicationOptions {
    var options = ReplicationOptions()
    options.pause = .milliseconds(1)
    options.longestPause = .milliseconds(5)
    // On machines where many tests run at once, it takes long until a test goes on.
    options.timeLimit = .seconds(3_600)
    options.offers = .max
    return options
  }

  /// The same, for a log that does not answer and never will.
  static var impatient: ReplicationOptions {
    var options = quick
    options.offers = 10
    return options
  }
}
