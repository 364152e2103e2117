import Diffable
import DiffableTerminal
import Foundation

/// How `livelist stream` prints changes.
struct StreamOptions: Equatable, Sendable {
  /// The names of the kinds of list views are those of the command line.
  static let profiles = [ListProfile.collectionView, .tableView, .movesApart, .sequential]

  /// The kind of list view whose rules each stage obeys; `nil` prints the change as a whole.
  var stages: ListProfile?
  /// The epoch of the tokens of the deltas; `nil` begins a new one.
  var epoch: Epoch?
}

/// `livelist stream`: reads lines from standard input and answers on standard output.
struct StreamCommand {
  let options: StreamOptions

  /// Reads until the end.
  ///
  /// Each answer is written before the next line is read, so that another program can wait
  /// for it.
  @MainActor
  func run() async throws -> ExitStatus {
    var reader = LineReader(descriptor: STDIN_FILENO)
    var session = try StreamSession(options: options)
    while let line = try reader.next() {
      guard var answer = try await session.answer(line) else { continue }
      answer.append(UInt8(ascii: "\n"))
      do {
        try FileOutput.standardOutput.write(answer)
      } catch .closed {
        break
      }
    }
    return session.hasFailed ? .failure : .success
  }
}
