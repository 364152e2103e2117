import Diffable
import DiffableSQLite
import DiffableSync
import Foundation
import Numbers

/// A process that writes to a list in a file: the path, the name of the list, the first number, and how
/// many numbers.
///
/// It prints each number once the write has returned. If the file refuses a write or cannot be opened, as it
/// may not become larger, it ends with the status 75. If the fate of a write is unknown, it crashes.
@main struct Writer {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.dropFirst(2).compactMap { Int($0) }
    guard arguments.count == 4, numbers.count == 2 else {
      print("usage: writer PATH NAME FIRST COUNT")
      return
    }
    do {
      try await write(to: arguments[0], arguments[1], numbers[0]..<numbers[0] + numbers[1])
    } catch ReplicationError.rejected {
      exit(75)
    } catch let error as SQLiteFileError where error.fault == .full {
      exit(75)
    } catch ReplicationError.log(.rejected) {
      exit(75)
    }
  }

  private static func write(to path: String, _ name: String, _ numbers: Range<Int>) async throws {
    let file = try await SQLiteFile(path: path)
    var options = ReplicationOptions()
    (options.tries, options.timeLimit) = (10_000, .seconds(300))
    options.revisionsPerState = 50
    options.revisionsKept = 100
    let list = try await Numbers.open(file.log(name), options)
    for number in numbers {
      try await list.add(number)
      // Unbuffered: what the test has read was acknowledged, even if this process is killed now.
      FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }
  }
}
