import DiffableTerminal

/// What the command writes to standard error.
enum Complaint {
  /// Writes a message; what it quotes from outside cannot control a terminal.
  ///
  /// - Parameter message: The message, of one line or several.
  static func write(_ message: String) throws(OutputError) {
    try FileOutput.standardError.write(text(message))
  }

  static func text(_ message: String) -> String {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    return "livelist: " + lines.map { String($0).printable() }.joined(separator: "\n") + "\n"
  }
}
