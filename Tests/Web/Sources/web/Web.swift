import Foundation
import NIOCore
import WebLists

/// The command as the shell starts it.
@main
struct Web {
  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      guard !arguments.wantsHelp else { return print(Arguments.help) }
      try OpenFiles.allow(connections: arguments.connections)
      var options = WebServer.Options()
      (options.host, options.port, options.names) = (
        arguments.host, arguments.port, arguments.names
      )
      (options.connections, options.views) = (arguments.connections, arguments.views)
      options.limits.ending = .seconds(arguments.ending)
      let watchPort = arguments.watchPort
      let secrets = arguments.board.map { $0 + "-secrets" }
      // Before there is a board that nobody can open.
      if let secrets { _ = try Secret.read(from: secrets, count: 2) }
      try await MachineLists.writing(
        rows: arguments.rows, every: .seconds(arguments.interval), board: arguments.board
      ) { [options] lists in
        var options = options
        if let secrets {
          // A board that is refused gets none.
          let kept = try Secret.kept(at: secrets, count: 2)
          (options.ticket, options.cookie) = (kept[0], kept[1])
        }
        let server = WebServer(lists, options)
        do {
          let watching = watchPort.map { port in server.watch(port: port) { say("Watch \($0)") } }
          try await server.application { say("Open \($0)") }
            .runUntilSignalled(beside: watching.map { [$0] } ?? [])
        } catch let error as IOError {
          throw ListeningFault(
            error, host: options.host, ports: [options.port] + (watchPort.map { [$0] } ?? []))
        } catch is SocketAddressError.UnknownHost {
          throw ArgumentFault("there is no host “\(options.host)”")
        }
      }
    } catch let fault as ArgumentFault {
      complain("\(fault)\nTry --help.")
      exit(64)
    } catch is CancellationError {
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private static func say(_ line: String) {
    // Not by `print`, which keeps lines back where the output is no terminal.
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }

  private static func complain(_ message: String) {
    try? FileHandle.standardError.write(contentsOf: Data("web: \(message)\n".utf8))
  }
}
