import DiffableTerminal
import Foundation

/// `livelist follow`: shows the list that results from the deltas of standard input.
struct FollowCommand {
  /// The maximum number of lines for a list.
  let rows: Int

  /// Reads until the end.
  ///
  /// The list is shown before the next line is read. Errors in a line are written to standard
  /// error, and the list is then unchanged.
  @MainActor
  func run() async throws -> ExitStatus {
    var reader = LineReader(descriptor: STDIN_FILENO)
    var session = FollowSession(rows: rows)
    while let line = try reader.next() {
      do {
        switch await session.take(line) {
        case .nothing: break
        case .list(let text): try FileOutput.standardOutput.write(text)
        case .fault(let message):
          try Complaint.write("line \(session.lineNumber): \(message)")
        }
      } catch .closed {
        break
      }
    }
    return session.hasFailed ? .failure : .success
  }
}
