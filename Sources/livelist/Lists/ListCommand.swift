import DiffableTerminal
import Foundation

/// A command that shows the batches of a source as a list.
///
/// Without a terminal to draw on, it prints a line for each batch.
@MainActor
protocol ListCommand {
  associatedtype Batch: Sendable
  associatedtype View: ListScreen

  /// The number of batches after which the command stops; `nil` if only the user stops it.
  var frames: Int? { get }

  /// The batches to show.
  func updates() -> AsyncStream<Batch>
  /// A batch in a line of text.
  func line(for batch: Batch) -> String
  /// Makes the list, which is still empty.
  func makeView() -> View
  /// Shows a batch.
  func show(_ batch: Batch, in view: View) async
  /// Lets the writers write during a function, once there is something to show.
  func writing(_ body: @escaping @MainActor () async throws -> Void) async throws
}

extension ListCommand {
  /// Runs until it is asked to stop.
  func run() async throws -> ExitStatus {
    let environment = ProcessInfo.processInfo.environment
    guard let terminal = Terminal.standard(environment: environment) else {
      try await writing {
        try await follow { try FileOutput.standardOutput.write(line(for: $0).printable() + "\n") }
      }
      return .success
    }
    let program = TerminalProgram(
      terminal: terminal, colorDepth: ColorDepth(environment: environment))
    let view = makeView()
    view.changeHandler = { program.setNeedsDisplay() }
    program.screen = { view.screen($0) }
    program.keyHandler = { view.press($0) }
    let ending = try await program.run {
      try await writing {
        try await follow { await show($0, in: view) }
      }
    }
    switch ending {
    case .finished: return .success
    case .signal(let number): die(of: number)
    }
  }

  /// Delivers batches until the requested number has been shown.
  private func follow(_ show: @MainActor (Batch) async throws -> Void) async throws {
    var count = 0
    for await batch in updates() {
      try await show(batch)
      count += 1
      if count == frames { break }
    }
  }
}
