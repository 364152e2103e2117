import Diffable
import DiffableNATS
import DiffableSync
import SharedNumbers

/// A process that writes to a shared list: servers, name of the list, own number, writes, and the
/// revision after which it ends.
///
/// At the end it prints what it shows.
@main struct Participant {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let numbers = arguments.compactMap { Int($0) }
    guard arguments.count == 5, numbers.count == 3 else {
      print("usage: participant URL,… NAME NUMBER WRITES LAST")
      return
    }
    let words = Array(arguments)
    var options = NATSRevisionLog.Options()
    options.replicas = 3
    let log = try NATSRevisionLog(
      urls: words[0].split(separator: ",").map(String.init), name: words[1], options: options)
    let list = try await SharedNumbers.open(log)
    for write in 0..<numbers[1] {
      try await list.add(numbers[0] * 1_000_000 + write)
    }
    try await list.reached(Revision(numbers[2]))
    print(await list.digest)
  }
}
