import Diffable
import DiffableTerminal
import Foundation

/// How often the writers of a command write, and when it stops.
struct WritingOptions: Equatable, Sendable {
  /// The reasonable intervals between two changes of a writer, in seconds.
  static let intervals = 0.05...3600.0

  var interval: Duration
  /// The number of batches after which to stop; `nil` continues until the user quits.
  var frames: Int?
}

/// A command that shows the batches of a source as a list.
///
/// Without a terminal to draw on, it prints a line for each batch.
@MainActor
protocol ListCommand {
  associatedtype Source: ListSource
  associatedtype View: ListScreen
  typealias Batch = Source.Batch

  /// The list to show.
  var shown: Source { get }
  /// What its items are called: one, and several.
  static var nouns: (one: String, many: String) { get }

  /// A batch in a line of text.
  func line(for batch: Batch) -> String
  /// Makes the list, which is still empty.
  func makeView() -> View
  /// Shows a batch.
  func show(_ batch: Batch, in view: View) async
  /// Lets the writers write during a function, once there is something to show.
  func writing(_ body: @escaping @MainActor () async throws -> Void) async throws
  /// Says what there is to say when the user has left, and the terminal is as it was.
  func sayFarewell() throws(OutputError)
}

extension ListCommand {
  func line(for batch: Batch) -> String { BatchLine.text(for: batch.update, Self.nouns) }

  func sayFarewell() {}

  /// Runs until it is asked to stop.
  ///
  /// - Parameter frames: The number of batches after which it stops; `nil` for none.
  func run(frames: Int?) async throws -> ExitStatus {
    let environment = ProcessInfo.processInfo.environment
    guard let terminal = Terminal.standard(environment: environment) else {
      try await writing {
        try await follow(frames) {
          try FileOutput.standardOutput.write(line(for: $0).printable() + "\n")
        }
      }
      return .success
    }
    let program = TerminalProgram(
      terminal: terminal, colorDepth: ColorDepth(environment: environment))
    let view = makeView()
    view.list.changeHandler = { program.setNeedsDisplay() }
    program.screen = { view.screen($0) }
    program.keyHandler = { view.press($0) }
    let ending: TerminalProgram.Ending
    // If nobody can read a farewell, that is no reason to end otherwise.
    do {
      ending = try await program.run {
        try await writing {
          try await follow(frames) { await show($0, in: view) }
        }
      }
    } catch {
      try? sayFarewell()
      throw error
    }
    try? sayFarewell()
    switch ending {
    case .finished: return .success
    case .signal(let number): die(of: number)
    }
  }

  /// Delivers batches until the requested number has been shown.
  private func follow(
    _ frames: Int?, _ show: @MainActor (Batch) async throws -> Void
  ) async throws {
    var count = 0
    for await batch in shown.updates() {
      try await show(batch)
      count += 1
      if count == frames { break }
    }
  }
}

/// Ends the process with the default effect of a signal.
func die(of number: Int32) -> Never {
  signal(number, SIG_DFL)
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, number)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  raise(number)
  exit(128 + number)
}
