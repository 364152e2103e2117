import Diffable
import DiffableSQLite
import DiffableSync
import Foundation
import Numbers

/// A process that writes to a list in a file: the path, the name of the list, the first number, and how
/// many numbers.
///
/// It prints each number once the write has returned, and at the end the numbers of the list.
@main struct Writer {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.dropFirst(2).compactMap { Int($0) }
    guard arguments.count == 4, numbers.count == 2 else {
      print("usage: writer PATH NAME FIRST COUNT")
      return
    }
    let file = try await SQLiteFile(path: arguments[0])
    var options = ReplicationOptions()
    (options.tries, options.timeLimit) = (10_000, .seconds(300))
    options.revisionsPerState = 50
    options.revisionsKept = 100
    let list = try await Numbers.open(file.log(arguments[1]), options)
    for number in numbers[0]..<numbers[0] + numbers[1] {
      try await list.add(number)
      // Unbuffered: what the test has read was acknowledged, even if this process is killed now.
      FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }
  }
}
