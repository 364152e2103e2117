import DiffableTerminal
import Foundation

/// The command as the shell starts it: arguments in, exit status out.
@main
struct Livelist {
  static let version = "0.1.0"

  // On the main actor, so that a blocking read of standard input blocks no thread of the pool.
  @MainActor
  static func main() async {
    keepStandardDescriptors()
    // If the reader of a pipe goes away, a write returns an error, which ends the command quietly.
    signal(SIGPIPE, SIG_IGN)
    let status = await run(Array(CommandLine.arguments.dropFirst()))
    exit(status.rawValue)
  }

  /// Lets nothing that is opened later take the number of a standard descriptor that the shell has closed: output
  /// would go there.
  ///
  /// As before, reading from it and writing to it fail.
  private static func keepStandardDescriptors() {
    for (number, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(number, F_GETFD) < 0 {
      // The lowest number that is free.
      _ = open("/dev/null", mode)
    }
  }

  @MainActor
  private static func run(_ arguments: [String]) async -> ExitStatus {
    do {
      switch try Invocation(arguments: arguments) {
      case .help(let topic):
        try FileOutput.standardOutput.write(topic.text + "\n")
        return .success
      case .version:
        try FileOutput.standardOutput.write("livelist \(version)\n")
        return .success
      case .processes(let options):
        return try await ProcessesCommand(options: options).run(frames: options.frames)
      case .gallery(let options):
        return try await GalleryCommand(options: options).run(frames: options.frames)
      case .chat(let options):
        return try await ChatCommand(options: options).run(frames: options.frames)
      case .board(let options):
        return try await BoardCommand(options: options).run(frames: options.frames)
      case .stream(let options):
        return try await StreamCommand(options: options).run()
      case .follow(let rows):
        return try await FollowCommand(rows: rows).run()
      case .cluster(let options):
        return try await ClusterCommand(options: options).run(frames: options.frames)
      }
    } catch let error as ArgumentError {
      try? Complaint.write("\(error)\n\(error.hint)")
      return .usage
    } catch OutputError.closed {
      return .success
    } catch {
      try? Complaint.write("\(error)")
      return .failure
    }
  }
}

/// The exit status of the command.
enum ExitStatus: Int32 {
  case success = 0
  /// Something failed: a line of the stream, or the command itself.
  case failure = 1
  /// The arguments were wrong (`EX_USAGE`).
  case usage = 64
}

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
